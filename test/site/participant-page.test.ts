import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { languages } from '../../src/text/languages.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { guestCup } from './guest-event.ts';
import { hallEvent, hallPlayers } from './hall-event.ts';
import { moments, players } from './scripted-event.ts';
import { assertValidHtml } from './valid-html.ts';

// Tests how a participant is doing in every state of an event: what the page says, and what a phone shows of
// it at first.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
await publishFeed(database.pool, players);

const momentOf = (name: string): TournamentRecord => {
  const found = moments[name];
  assert.ok(found, name);
  return found;
};
const late = momentOf('a list is late, one player did not come, and one has left');
const over = momentOf('the final is over before the placement Swiss is');

/**
 * The states of an event. The first paragraph of each page is about the tournament. What comes below the list
 * is the same everywhere.
 */
const states: [state: string, record: TournamentRecord, says: Record<string, string>][] = [
  [
    'it is planned',
    { ...momentOf('nothing is paired'), status: 'planned' },
    {
      ann: 'Harbour Cup Ann Round by round No games are on record. Army list No list on record. All events played by Ann',
    },
  ],
  [
    'nothing is paired',
    momentOf('nothing is paired'),
    {
      ann: 'Harbour Cup Ann Place so far – of 12 W–D–L 0–0–0 BP 0 VP 0 ± 0 Round by round No games are on record. Army list No list on record. All events played by Ann',
    },
  ],
  [
    'a round is played',
    momentOf('round 2 has begun, and the result of table 6 may still come'),
    {
      ann: 'Harbour Cup Ann Place so far 1st of 12 W–D–L 2–0–0 BP 6 VP 60 ± +40 Round by round 1 Bea table 1 won 30–10 3 BP 2 Cleo table 1 won 30–10 3 BP 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Ann',
      eve: 'Harbour Cup Eve Place so far 2nd of 12 W–D–L 1–0–0 BP 3 VP 30 ± +20 Table 2 Round 2 · The Toll Road · vs Gus both lists Round by round 1 Fay table 3 won 30–10 3 BP 2 Gus table 2 playing now 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Eve',
      kim: 'Harbour Cup Kim Place so far – of 12 W–D–L 0–0–0 BP 0 VP 0 ± 0 Table 5 Round 2 · The Toll Road · vs Ida both lists Round by round 1 Leo table 6 playing now 2 Ida table 5 playing now 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Kim',
    },
  ],
  [
    'a round is over, and the next one is not paired',
    momentOf('round 2 is over, and the result of table 6 was forgotten'),
    {
      ann: 'Harbour Cup Ann Place so far 2nd of 12 W–D–L 2–0–0 BP 6 VP 60 ± +40 Round by round 1 Bea table 1 won 30–10 3 BP · 4th 2 Cleo table 1 won 30–10 3 BP · 2nd 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Ann',
      kim: 'Harbour Cup Kim Place so far 9th of 12 W–D–L 0–0–1 BP 0 VP 10 ± −20 Round by round 1 Leo table 6 Result missing 2 Ida table 5 lost 10–30 0 BP · 9th 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Kim',
    },
  ],
  [
    'a bracket is played',
    momentOf('two quarter-finals are open, and a semi-final is paired'),
    {
      ann: 'Harbour Cup Ann Place so far 1st in Swiss W–D–L 5–0–0 BP 15 VP 150 ± +100 Table 1 Semi-final · vs Eve Round by round Swiss 1 Bea table 1 won 30–10 3 BP · 2nd 2 Cleo table 1 won 30–10 3 BP · 1st 3 Eve table 1 won 30–10 3 BP · 1st 4 Gus table 1 won 30–10 3 BP · 1st 5 Fay table 1 won 30–10 3 BP · 1st Top 8 1 Hal Quarter-final · table 1 won 2 Eve Semi-final · table 1 playing now Army list No list on record. All events played by Ann',
      bea: 'Harbour Cup Bea Place so far 6th in Swiss W–D–L 3–0–2 BP 9 VP 110 ± +20 Table 3 Quarter-final · vs Gus Round by round Swiss 1 Ann table 1 lost 10–30 0 BP · 9th 2 Dora table 3 won 30–10 3 BP · 4th 3 Fay table 3 won 30–10 3 BP · 2nd 4 Hal table 3 won 30–10 3 BP · 2nd 5 Cleo table 2 lost 10–30 0 BP · 6th Top 8 1 Gus Quarter-final · table 3 playing now Army list No list on record. All events played by Bea',
      hal: 'Harbour Cup Hal Place so far 9th in Swiss W–D–L 1–0–4 BP 3 VP 70 ± −60 Round by round Swiss 1 Gus table 4 lost 10–30 0 BP · 8th 2 Fay table 4 lost 10–30 0 BP · 11th 3 Ida table 4 won 30–10 3 BP · 9th 4 Bea table 3 lost 10–30 0 BP · 9th 5 Eve table 3 lost 10–30 0 BP · 9th Top 8 1 Ann Quarter-final · table 1 lost Army list No list on record. All events played by Hal',
    },
  ],
  [
    'there are a bye, a penalty, a no-show and a drop-out',
    late,
    {
      kim: 'Harbour Cup Kim Place so far 6th of 12 6th after round 1 W–D–L 1–0–0 BP 0 VP 0 ± 0 Table 5 Round 2 · The Toll Road · vs Ida both lists Round by round 1 Bye 6th 2 Ida table 5 playing now 3 not paired yet 4 not paired yet 5 not paired yet Army list No list on record. All events played by Kim',
      gus: 'Harbour Cup Gus Place so far 5th of 12 5th after round 1 W–D–L 1–0–0 BP 2 −1 VP 30 ± +20 Table 2 Round 2 · The Toll Road · vs Eve both lists Round by round 1 Hal table 4 won 30–10 3 BP · 5th 2 Eve table 2 playing now 3 not paired yet 4 not paired yet 5 not paired yet −1 BP: Late list Army list No list on record. All events played by Gus',
      leo: 'Harbour Cup Leo No-show Round by round No games are on record. Army list No list on record. All events played by Leo',
      jon: 'Harbour Cup Jon Dropped out Place so far 9th of 12 8th after round 1 W–D–L 0–0–1 BP 0 VP 10 ± −20 Round by round 1 Ida table 5 lost 10–30 0 BP · 8th Army list No list on record. All events played by Jon',
    },
  ],
  [
    'it is finished',
    { ...over, status: 'finished' },
    {
      ann: 'Harbour Cup Ann Place 1st of 12 W–D–L 5–0–0 BP 15 VP 150 ± +100 Round by round Swiss 1 Bea table 1 won 30–10 3 BP · 3rd 2 Cleo table 1 won 30–10 3 BP · 2nd 3 Eve table 1 won 30–10 3 BP · 1st 4 Gus table 1 won 30–10 3 BP · 1st 5 Fay table 1 won 30–10 3 BP · 1st Top 8 1 Hal Quarter-final · table 1 won 2 Eve Semi-final · table 1 won 3 Cleo Final · table 1 won Army list No list on record. All events played by Ann',
      kim: 'Harbour Cup Kim Place 11th of 12 W–D–L 1–0–5 BP 3 VP 80 ± −80 Round by round Swiss 1 Leo table 6 Result missing 2 Ida table 5 lost 10–30 0 BP · 9th 3 Dora table 5 lost 10–30 0 BP · 12th 4 Jon table 6 lost 10–30 0 BP · 12th 5 Ida table 5 lost 10–30 0 BP · 12th Sunday Swiss 1 Jon table 2 lost 10–30 0 BP · 4th 2 Leo table 2 won 30–10 3 BP · 3rd Army list No list on record. All events played by Kim',
    },
  ],
  [
    'guests play',
    guestCup('guests', 3),
    {
      p7: 'Guests of guests Fa Gus Wanted Faction 7 Place so far 4th of 9 4th after round 2 W–D–L 1–0–1 BP 3 VP 42 ± +1 Table 1 Round 3 · vs Ada North Faction 1 · both lists Round by round 1 Sam Twin Faction 2 · table 2 lost 11–30 0 BP · 8th 2 Sam Twin Faction 4 · table 2 won 31–11 3 BP · 4th 3 Ada North Faction 1 · table 1 playing now Army list List of p7',
      p8: 'Guests of guests Fa Hal Stone Faction 8 Place so far 9th of 9 9th after round 2 W–D–L 1–0–2 BP 2 VP 23 ± −38 Round by round 1 Ada North Faction 1 · table 1 lost 10–30 0 BP · 9th 2 Eve Hollow Faction 5 · table 4 lost 13–31 0 BP · 9th 3 Bye Army list List of p8',
    },
  ],
];

async function get(path: string): Promise<string> {
  const answer = await fetch(`${server.siteUrl}${path}`);
  assert.equal(answer.status, 200, path);
  return answer.text();
}

const words = (text: string) =>
  (/<main[^>]*>(.*?)<\/main>/s.exec(text)?.[1] ?? '')
    .replaceAll(/<\/?bdi>|<p [^>]* hidden>[^<]*/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

for (const [index, [state, record, says]] of states.entries()) {
  test(`the page of a participant when ${state}`, async () => {
    const slug = `state-${index}`;
    const battles = record.battles?.map((each) => ({ ...each, id: `${slug}-${each.id}` })) ?? [];
    await publishFeed(database.pool, [{ ...record, slug, battles }]);
    await eventually(async () => assert.match(await get(`/tournaments/${slug}`), /<h1/));
    for (const [entry, expected] of Object.entries(says)) {
      const path = `/tournaments/${slug}/players/${entry}`;
      const text = await get(path);
      assert.equal(words(text), expected, entry);
      await assertValidHtml(text, path);
      for (const language of languages.slice(1)) {
        const other = await get(`/${language}${path}`);
        await assertValidHtml(other, `/${language}${path}`);
        assert.doesNotMatch(other, /undefined|NaN|\[object/);
        assert.notEqual(words(other), words(text), language);
      }
    }
  });
}

interface Box {
  text: string;
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * Returns what a selector finds, as the page draws it. A card in a row that slides may be cut off by the edge
 * of the screen.
 */
async function boxes(selector: string): Promise<Box[]> {
  const script = `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect();
    return { text: each.innerText.replaceAll(/\\s+/g, ' ').trim(), top, bottom, left, right };
  }))`;
  return JSON.parse(String(await browser?.evaluate(script))) as Box[];
}

const isOnScreen = ({ top, bottom, left, right }: Box) =>
  top >= 0 && bottom <= 660 && left >= 0 && right <= 390 && right > left && bottom > top;

async function firstOnScreen(selector: string): Promise<string> {
  const [first] = await boxes(selector);
  assert.ok(first, selector);
  assert.ok(isOnScreen(first), `${selector}: ${JSON.stringify(first)}`);
  return first.text;
}

for (const count of [8, 100, 300]) {
  test(`of ${count} players, the first screen of a phone says who plays whom where`, { skip }, async () => {
    assert.ok(browser !== undefined);
    const slug = `hall-${count}`;
    await publishFeed(database.pool, [...hallPlayers(count), hallEvent(slug, count, Math.floor(count / 5))]);
    await eventually(async () => assert.match(await get(`/tournaments/${slug}`), /data-results/));
    await browser.look({ width: 390, height: 660, scheme: 'light' });

    // The participant's page shows table, opponent, record and rank.
    const last = Math.floor(count / 2);
    await browser.open(`${server.siteUrl}/tournaments/${slug}/players/e${last}`);
    assert.equal(await firstOnScreen('h1 bdi'), hallPlayers(count)[last - 1]?.name);
    assert.match(await firstOnScreen('.card.big b'), new RegExp(`^Table ?${last}$`));
    const lines = await browser.evaluate(`{
      const range = document.createRange();
      range.selectNode(document.querySelector('.card.big > b > span').lastChild);
      range.getClientRects().length;
    }`);
    assert.equal(lines, 1, 'the table is on one line');
    const [opponent] = await boxes('.card.big .name');
    assert.ok(hallPlayers(count).some(({ name }) => name === opponent?.text));
    assert.match(await firstOnScreen('.card.big .name'), /\S/);
    assert.match(await firstOnScreen('.stats > div:nth-child(1) dd'), new RegExp(`^\\d+\\w\\w of ${count}$`));
    assert.equal(await firstOnScreen('.stats > div:nth-child(2) dd'), '2–0–0');
    assert.match(await firstOnScreen('.path > li'), /^1 /);

    // The tournament's page shows a table with both names, and the first on the board.
    await browser.open(`${server.siteUrl}/tournaments/${slug}`);
    assert.match(await firstOnScreen('.now .card > b'), /^Table \d+$/);
    const sides = (await boxes('.now .card:first-of-type .side > bdi')).slice(0, 2);
    assert.equal(sides.length, 2);
    for (const side of sides) {
      assert.ok(isOnScreen(side), JSON.stringify(side));
      assert.ok(
        hallPlayers(count).some(({ name }) => name === side.text),
        side.text,
      );
    }
    assert.equal(await firstOnScreen('.board tbody tr .pl b'), '1');
    assert.match(await firstOnScreen('.board tbody tr .name'), /^\S+ \S+/);
  });
}

test('with large text, names keep their width and the heading of "Now" wraps', { skip }, async () => {
  assert.ok(browser !== undefined);
  await browser.look({ width: 390, height: 660, scheme: 'light' });
  for (const percent of [175, 200]) {
    const enlarge = `document.documentElement.style.fontSize = '${percent}%'`;
    const em = (16 * percent) / 100;
    for (const entry of ['e1', 'e150']) {
      await browser.open(`${server.siteUrl}/tournaments/hall-300/players/${entry}`);
      await browser.evaluate(enlarge);
      const names = await boxes('.path li > span:has(.name)');
      const results = await boxes('.path li:has(.name) > .num');
      assert.equal(names.length, 3);
      for (const [index, { left, right, bottom }] of names.entries()) {
        assert.ok(right - left > 5 * em, `a name has ${(right - left) / em}em`);
        assert.ok((results[index]?.top ?? 0) >= bottom, 'the result is below');
      }
    }
    for (const language of ['', '/de', '/pl']) {
      await browser.open(`${server.siteUrl}${language}/tournaments/hall-300`);
      await browser.evaluate(enlarge);
      const cut = `{ const { scrollWidth, clientWidth } = document.querySelector('.now h2'); scrollWidth - clientWidth; }`;
      assert.equal(await browser.evaluate(cut), 0, `the heading in ${language} at ${percent} %`);
      const [heading] = await boxes('.now h2');
      const [cards] = await boxes('.now .slide');
      assert.ok(heading && cards && heading.bottom <= cards.top);
    }
  }
});

test('a card without a table has no cell for a number', async () => {
  const record = hallEvent('no-tables', 8, 1);
  const battles = record.battles?.map((battle) => ({ ...battle, table: null })) ?? [];
  await publishFeed(database.pool, [...hallPlayers(8), { ...record, battles }]);
  const cardsOf = async (path: string) =>
    (await get(`/tournaments/no-tables${path}`)).match(/<(\w+) class="card .*?<\/\1>/gs) ?? [];
  await eventually(async () => assert.equal((await cardsOf('/players/e4')).length, 1));
  for (const [path, count] of [
    ['/players/e4', 1],
    ['', 4],
    ['/rounds', 4],
  ] as const) {
    const cards = await cardsOf(path);
    assert.equal(cards.length, count, path);
    for (const card of cards) assert.match(card, /^<[^>]+><span>(?!.*–)/s, path);
  }
});
