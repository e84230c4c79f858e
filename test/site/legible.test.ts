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

/**
 * Returns the words whose letters reach beyond a box that clips them. A descender may reach below its line, and
 * the J of many fonts to the left of its own beginning.
 */
const cutLetters = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const clips = (each) => getComputedStyle(each).overflowX !== 'visible' && getComputedStyle(each).display !== 'inline' && !each.matches('.vh, .page, main, body, .slide');
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode;
    if (data.trim() === '' || !parent.checkVisibility() || parent.closest('.vh, .pulse')) continue;
    const boxes = [];
    for (let each = parent; each; each = each.parentElement) if (clips(each)) boxes.push(each);
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(parent);
    // Outlines of small letters are rounded to whole pixels, so they are measured on large ones.
    const large = 400 / parseFloat(fontSize);
    canvas.font = [fontWeight, fontSize, fontFamily].join(' ');
    const ascent = canvas.measureText('').fontBoundingBoxAscent;
    canvas.font = [fontWeight, '400px', fontFamily].join(' ');
    for (const { 0: word, index } of data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      const { left, right, top } = range.getBoundingClientRect();
      const ink = canvas.measureText(word);
      const bottom = top + ascent + ink.actualBoundingBoxDescent / large;
      for (const box of boxes) {
        const clip = box.getBoundingClientRect();
        // An ellipsis replaces words that do not fit at all.
        if (right > clip.right || top > clip.bottom - 4) continue;
        if (bottom > clip.bottom - box.clientTop + 0.1) found.push(word + ' is cut below in ' + box.outerHTML.slice(0, 60));
        if (left - ink.actualBoundingBoxLeft / large < clip.left + box.clientLeft - 0.1) found.push(word + ' is cut at its side in ' + box.outerHTML.slice(0, 60));
      }
    }
  }
  return [...new Set(found)].join('\\n');
})()`;

test('no letter is cut off by the box of its name', { skip: withoutBrowser }, async () => {
  assert.ok(browser !== undefined);
  const names = ['Jörg Luengo', 'Jesús Zúñiga', 'Gypsy Qyjpg'];
  await publishFeed(
    database.pool,
    names.map((name, index) => ({ kind: 'player' as const, id: `h${index + 1}`, name })),
  );
  const event = `${server.siteUrl}/tournaments/colours`;
  for (const [page, width] of [
    ['', 390],
    ['', 1_280],
    ['/rounds', 390],
    ['/participants', 390],
    ['/players/e1', 390],
    ['/screen', 1_280],
  ] as const) {
    await browser.look({ width, height: 720, scheme: 'light' });
    await browser.open(`${event}${page}`);
    await browser.evaluate(`document.querySelectorAll('.page').forEach((each) => each.classList.add('on'))`);
    assert.equal(await browser.evaluate(cutLetters), '', `${page} at ${width} px`);
  }
});

test(
  'a result of another day has its time in one line below the names',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    const day = 86_400_000;
    const endDate = new Date(Date.now() + 2 * day).toISOString().slice(0, 10);
    // What a tournament is first imported with has no time of arrival.
    for (const results of [1, 3])
      await publishFeed(database.pool, [{ ...hallEvent('two-days', 20, results), endDate }]);
    const tomorrow = await startTestServer(await database.loginAs('wartable_serve'), {
      now: () => Date.now() + day,
    });
    for (const width of [390, 1_280]) {
      await browser.look({ width, height: 720, scheme: 'light' });
      // The names of months are long in Polish.
      await browser.open(`${tomorrow.siteUrl}/pl/tournaments/two-days`);
      const cards =
        await browser.evaluate(`JSON.stringify([...document.querySelectorAll('.stack .card')].map((card) => {
      const time = card.querySelector(':scope > span > small');
      const range = document.createRange();
      range.selectNodeContents(time);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      return [lines, card.scrollHeight <= card.clientHeight, /\\d/.test(time.textContent)];
    }))`);
      assert.deepEqual(JSON.parse(String(cards)), [
        [1, true, true],
        [1, true, true],
      ]);
    }
  },
);

test(
  'on a phone, the link to a list is one line, and no dot ends a line of facts',
  { skip: withoutBrowser },
  async () => {
    assert.ok(browser !== undefined);
    const event = hallEvent('lists', 8, 4);
    const list = {
      subFaction: 'Lantern Bearers of the Long Night',
      points: 1_910,
      battleTacticCards: [],
      text: '',
    };
    await publishFeed(database.pool, [
      {
        ...event,
        participants: (event.participants ?? []).map((each) => ({
          ...each,
          club: club.slug,
          list: { ...list, faction: each.faction ?? '' },
        })),
      },
    ]);
    await browser.look({ width: 390, height: 720, scheme: 'light' });
    await browser.open(`${server.siteUrl}/tournaments/lists/participants`);
    const heights = `JSON.stringify([...document.querySelectorAll('.people .num a')].map((each) => Math.round(each.scrollHeight / 24)))`;
    assert.deepEqual(JSON.parse(String(await browser.evaluate(heights))), Array(8).fill(1));
    const text = String(await browser.evaluate(`document.querySelector('.people').innerText`));
    assert.match(text, /Starless Pact\s+Lantern Bearers of the Long Night\s+Quarry Irregulars/);
    assert.equal(await browser.evaluate('document.documentElement.scrollWidth'), 390);
  },
);
