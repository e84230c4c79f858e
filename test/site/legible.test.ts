import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { contrasts } from './contrast.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';

// Tests that all text can be read, also in browsers that don't know oklch and show the plain colours.

const browser = await startBrowser();
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

const club = { kind: 'club' as const, slug: 'quarry', name: 'Quarry Irregulars' };
await publishFeed(database.pool, [
  ...hallPlayers(20),
  club,
  {
    ...hallEvent('colours', 20, 4),
    organizer: club.slug,
    adjustments: [{ stage: 'swiss', participant: 'e3', battlePoints: -2, reason: 'Late list' }],
  },
]);

/** Replaces the sheets of a page by copies in which oklch is an unknown function. */
const withoutOklch = `(async () => {
  const sheets = await Promise.all(
    [...document.styleSheets].map(async ({ href }) => {
      const text = await (await fetch(href)).text();
      return new CSSStyleSheet().replace(text.replaceAll('oklch(', 'unknown('));
    }),
  );
  for (const sheet of document.styleSheets) sheet.disabled = true;
  document.adoptedStyleSheets = sheets;
  return sheets.length > 0 && sheets.every(({ cssRules }) => ![...cssRules].some((rule) => rule.cssText.includes('oklch(')));
})()`;

/** What the drawings have. WCAG asks for 4.5. */
const leastContrast = 5.5;

test(
  `all text has a contrast of ${leastContrast}, in both schemes, with and without oklch`,
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    const event = `${server.siteUrl}/tournaments/colours`;
    for (const address of [
      event,
      `${event}/rounds`,
      `${event}/players/e3`,
      `${event}/screen`,
      `${event}/screen?day`,
    ]) {
      for (const scheme of ['light', 'dark'] as const) {
        await browser.look({ width: 1_280, height: 720, scheme });
        await browser.open(address);
        for (const isExact of [true, false]) {
          if (!isExact) assert.equal(await browser.evaluate(withoutOklch), true);
          const found = JSON.parse(String(await browser.evaluate(contrasts()))) as [number, string][];
          assert.ok(found.length > 40, `${found.length} texts`);
          const low = found.filter(([contrast]) => contrast < leastContrast);
          assert.deepEqual(low, [], `${address} ${scheme} ${isExact ? 'with' : 'without'} oklch`);
        }
      }
    }
  },
);
