import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { atEnd } from '../../support/at-end.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { startTestServer } from '../../support/server.ts';
import { startBrowser, withoutBrowser } from '../browser.ts';
import { moments, players } from './scripted-event.ts';

// What a person sees in the hall, in a real browser: the boxes, not the HTML.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The boxes of what a selector finds, as the page draws them. */
async function boxes(selector: string): Promise<Box[]> {
  const script = `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.getBoundingClientRect()))`;
  return JSON.parse(String(await browser?.evaluate(script))) as Box[];
}

async function open(path: string, width: number, height = 844): Promise<void> {
  assert.ok(browser !== undefined);
  await browser.look({ width, height, scheme: 'light' });
  await browser.open(`${server.siteUrl}${path}`);
  const folder = process.env['SCREENSHOTS'];
  const file = `${folder}/${path.slice(1).replaceAll(/\W/g, '-')}-${width}.png`;
  if (folder !== undefined) await writeFile(file, await browser.screenshot('whole'));
}

test(
  'a card of the knockout under Rounds keeps seed and name on one line, and the faction below the name',
  { skip },
  async () => {
    const drawn = moments['two quarter-finals are open, and a semi-final is paired'];
    assert.ok(drawn);
    const participants =
      drawn.participants?.map((each) => ({ ...each, faction: 'Gearwright Concord' })) ?? [];
    const battles = [
      ...(drawn.battles ?? []),
      {
        id: 'cup-knockout-1-3',
        stage: 'knockout',
        round: 1,
        sides: [{ participant: 'bea' }, { participant: 'gus' }] as never,
      },
    ];
    const matches = drawn.matches?.map((each) =>
      each.round === 1 && each.position === 3 ? { ...each, battle: 'cup-knockout-1-3' } : each,
    );
    await publishFeed(database.pool, [
      ...players,
      { ...drawn, participants, battles, matches: matches ?? [] },
    ]);
    for (const width of [390, 1280]) {
      await open('/tournaments/cup/rounds?stage=knockout&round=1', width);
      const side = '.pairings a.match .side';
      const [seeds, names, factions] = [
        await boxes(`${side} .seed`),
        await boxes(`${side} .clamp:not(.sub)`),
        await boxes(`${side} .sub`),
      ];
      assert.equal(factions.length, 2);
      for (const [i, faction] of factions.entries()) {
        const [seed, name] = [seeds[i], names[i]];
        assert.ok(seed && name);
        assert.ok(seed.bottom > name.top && seed.right <= name.left, `seed and name at ${width}`);
        assert.ok(
          faction.top >= name.bottom - 2 && Math.abs(faction.left - name.left) < 2,
          `faction at ${width}`,
        );
      }
    }
  },
);
