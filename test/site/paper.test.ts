import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { contrasts } from './contrast.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';

// Tests what is read after the event, on paper, and on a screen in the hall.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

const get = async (path: string) => (await fetch(`${server.siteUrl}${path}`)).text();
const namesIn = (text: string) =>
  [
    ...text.matchAll(
      /<li[^>]*>(?:<b class="place">(.*?)<\/b>)?<i [^>]*>[^<]*<\/i><span><(?:a class="name"[^>]*|span[^>]*)><bdi>(.*?)</g,
    ),
  ].map(([, place, name]) => `${place?.replaceAll(/<.*/g, '')} ${name}`);

async function open(path: string, width: number, height = 844, scheme: 'light' | 'dark' = 'light') {
  assert.ok(browser !== undefined);
  await browser.look({ width, height, scheme });
  await browser.open(`${server.siteUrl}${path}`);
  const folder = process.env['SCREENSHOTS'];
  const file = `${folder}/${path.slice(1).replaceAll(/\W/g, '-')}-${width}-${scheme}.png`;
  if (folder !== undefined) await writeFile(file, await browser.screenshot());
}

/**
 * Returns an event in which three rounds have been played, and the higher-ranked player always won. Its
 * players have lists, except for the second. The third dropped out.
 */
function finishedEvent(slug: string, count: number): TournamentRecord {
  const event = hallEvent(slug, count, count);
  return {
    ...event,
    status: 'finished',
    participants:
      event.participants?.map((each, index) => ({
        ...each,
        ...(index === 2 && { dropped: true }),
        ...(index !== 1 && {
          list: {
            faction: each.faction ?? '',
            subFaction: '',
            points: 2000,
            battleTacticCards: [],
            text: `Army of ${each.player}\n3 × Ledge Breakers`,
          },
        }),
      })) ?? [],
  };
}

await publishFeed(database.pool, [
  ...hallPlayers(400),
  finishedEvent('over', 102),
  hallEvent('running', 8, 1),
  hallEvent('hall-100', 100, 20),
  hallEvent('hall-300', 300, 20),
]);

test('players of a finished event come by place, also who dropped, and by name on demand', async () => {
  const first = namesIn(await get('/tournaments/over/participants'));
  const second = namesIn(await get('/tournaments/over/participants?after=100'));
  assert.equal(first.length, 100);
  assert.equal(new Set([...first, ...second]).size, 102);
  const places = [...first, ...second].map((each) => Number(each.split(' ')[0]));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  const dropped = [...first, ...second].findIndex((each) => each.endsWith(' Chidi Abrantes'));
  assert.ok(dropped > 0 && dropped < 101, `${dropped}`);
  const byName = await get('/tournaments/over/participants?by=name');
  assert.match(namesIn(byName)[0] ?? '', /Ana Abrantes$/);
  assert.match(namesIn(byName)[1] ?? '', /Ana Abrantes-Bækkeløv$/);
  assert.match(byName, /href="\/tournaments\/over\/participants\?after=100&amp;by=name"/);
  assert.match(byName, /<a href="\/tournaments\/over\/participants">By place<\/a>/);
  const running = await get('/tournaments/running/participants');
  assert.match(namesIn(running).join(), /^undefined Ana Abrantes,undefined Björn/);
  assert.doesNotMatch(running, /By place/);
  assert.equal((await fetch(`${server.siteUrl}/tournaments/over/participants?by=place`)).status, 404);
});

test('podium and board lead to the list of a player, which is unfolded', async () => {
  const text = await get('/tournaments/over');
  const [, podium = ''] = /<ol class="podium">(.*?)<\/ol>/s.exec(text) ?? [];
  const links = [...podium.matchAll(/<a href="([^"]+)">List<span class="vh"> of <bdi>([^<]+)/g)];
  assert.equal(links.length, 3);
  for (const [, address = '', player] of links) {
    assert.match(address, /#list$/);
    const list = await get(address);
    assert.match(list, new RegExp(`<h1[^>]*><bdi>${player}</bdi></h1>`));
    assert.match(
      list,
      /<section class="sec" aria-labelledby="list">\s*<h2 id="list">.*?(?:Army of|No list on record)/s,
    );
    assert.doesNotMatch(list, /<details/);
  }
  const [, row = ''] = /<tbody>\s*(<tr.*?<\/tr>)/s.exec(text) ?? [];
  assert.match(
    row,
    /<a href="\/tournaments\/over\/players\/e\d+#list"><bdi>[A-Z][a-z]+ [A-Z][a-z]+<\/bdi><\/a>/,
  );
});

test('a board of 300 players with links to their lists takes at most 30 kB', async () => {
  const { length } = brotliCompressSync(await get('/tournaments/hall-300'));
  assert.ok(length <= 30_000, `${length} bytes`);
});

test('the podium shows factions on a phone, too', { skip }, async () => {
  for (const width of [390, 1280]) {
    await open('/tournaments/over', width);
    const text = String(await browser?.evaluate('document.querySelector(".podium").innerText'));
    assert.equal(text.match(/^[A-Z][a-z]+ [A-Z][a-z]+ · List$/gm)?.length, 3, text);
    // The record is drawn as dots, and also given as text.
    assert.equal(text.match(/^3–0–0, unbeaten$/gm)?.length, 3, text);
    const inside = async (selector: string) =>
      browser?.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.getBoundingClientRect()).filter(({ left, right }) => left >= 0 && right > left && right <= ${width}).length`,
      );
    const drawn = ['.podium .sub > bdi', '.podium .crest', '.podium .run .w'];
    assert.deepEqual(await Promise.all(drawn.map(inside)), [3, 3, 9]);
    await open('/tournaments/over', width, 844, 'dark');
    await open('/tournaments/over/participants', width);
    await open('/tournaments/over/participants?name=Ana+Abrantes', width, 844, 'dark');
    await open('/tournaments/running/participants', width);
  }
});

test('100 players by name take at most two pages of A4', { skip }, async () => {
  assert.ok(browser !== undefined);
  for (const path of [
    '/tournaments/hall-100/rounds?by=player',
    '/tournaments/hall-100/rounds',
    '/tournaments/over/participants?by=name',
  ]) {
    await open(path, 1280);
    const pdf = await browser.print();
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await writeFile(`${folder}/${path.replaceAll(/\W/g, '-')}.pdf`, pdf);
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(pages >= 1 && pages <= 2, `${path}: ${pages} pages`);
  }
});

test('paper has dark text, white crests and whole names, even without backgrounds', { skip }, async () => {
  assert.ok(browser !== undefined);
  // The width between the margins of A4. The reader's dark scheme doesn't concern paper.
  await browser.look({ width: 703, scheme: 'dark', media: 'print' });
  const read = async (expression: string) => JSON.parse(String(await browser.evaluate(expression)));
  for (const path of [
    '/',
    '/tournaments',
    '/tournaments/over',
    '/tournaments/running',
    '/tournaments/running/rounds',
    '/tournaments/running/players/e2',
    '/players/h1',
  ]) {
    await browser.open(`${server.siteUrl}${path}`);
    for (const onWhite of [true, false]) {
      const [[least, text]] = await read(contrasts(onWhite));
      assert.ok(least >= 4.5, `${path}: ${text} has a contrast of ${least}`);
    }
    // The padding of names, which is empty, may lie in the margin.
    const beyond = `[...document.querySelectorAll('main *')].filter((each) => each.checkVisibility() && !each.closest('.vh')).filter((each) => each.getBoundingClientRect().left < -4 || each.scrollWidth > 703).map((each) => each.textContent)`;
    assert.deepEqual(await read(`JSON.stringify(${beyond})`), [], path);
  }
  // The board says what "Now" does, whose cards slide sideways. A phone's short list of facts is for phones.
  await browser.open(`${server.siteUrl}/tournaments/running`);
  const shown = (selector: string) =>
    `[...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility()).length`;
  assert.equal(await browser.evaluate(shown('.now')), 0);
  assert.equal(await browser.evaluate(shown('.facts .opt')), 5);
  const dots = `[...document.querySelectorAll('.board .run .w')].every((each) => getComputedStyle(each).printColorAdjust === 'exact')`;
  assert.equal(await browser.evaluate(dots), true, 'a win looks like a loss');
});

test('paper has no stars', { skip }, async () => {
  assert.ok(browser !== undefined);
  await browser.look({ width: 1280, scheme: 'light', media: 'print' });
  const stars = async (path: string, selector: string) => {
    await browser.open(`${server.siteUrl}${path}`);
    const found = `[...document.querySelectorAll("${selector}")]`;
    const shown = `${found}.filter((each) => each.checkVisibility())`;
    return JSON.parse(String(await browser.evaluate(`JSON.stringify([${found}.length, ${shown}.length])`)));
  };
  await browser.open(`${server.siteUrl}/tournaments/over`);
  await browser.evaluate(`localStorage.setItem('followed', '["h1"]')`);
  // A board has no star to press. A player's page has one, and followed players are marked.
  assert.deepEqual(await stars('/tournaments/over', '.star'), [0, 0]);
  assert.deepEqual(await stars('/players/h1', '.star'), [1, 0]);
  assert.deepEqual(await stars('/tournaments/running/players/e1', '.star'), [1, 0]);
  assert.deepEqual(await stars('/tournaments/over', '.board .starred'), [2, 0]);
  assert.deepEqual(await stars('/tournaments/running', '.card .starred'), [1, 0]);
  await browser.evaluate(`localStorage.clear()`);
});
