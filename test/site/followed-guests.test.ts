import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser, textsOf } from '../../harness/support/browser.ts';
import { guestCup } from './guest-event.ts';

// There are two events from sheets, both with an entry p7. One reader follows both guests through three
// rounds.
const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const { pool } = database;
const others = { one: 'Gus Wanted', two: 'Greta Other' };
const told = (slug: 'one' | 'two', round: number) => {
  const cup = guestCup(slug, round);
  const participants = cup.participants?.map((each) =>
    each.id === 'p7' ? { ...each, name: others[slug] } : each,
  );
  return { ...cup, participants: participants ?? [] };
};
await publishFeed(pool, [told('one', 1), told('two', 1)]);
const server = await startTestServer(await database.loginAs('wartable_serve'));

async function open(path: string): Promise<(code: string) => Promise<unknown>> {
  assert.ok(browser !== undefined);
  await browser.open(`${server.siteUrl}${path}`);
  return (code) => browser.evaluate(code);
}

/** Makes the page ask again until it shows this. */
const untilIt = (page: (code: string) => Promise<unknown>, selector: string, expected: RegExp) =>
  eventually(async () => {
    await page(`document.dispatchEvent(new Event('visibilitychange'))`);
    assert.match(String(await page(textsOf(selector))), expected);
  });

/** The card of a followed player comes first. Its crests are letters as well. */
const myCard = '.slide > li:first-child > .mine';
const stored = `localStorage.getItem('followed')`;

test(
  'a guest is followed through three rounds, and an entry of the same id elsewhere is not',
  { skip },
  async () => {
    await browser?.look({ width: 390, scheme: 'light' });
    const entry = await open('/tournaments/one/players/p7');
    await entry(`document.querySelector('h1 .star[aria-label="Follow Gus Wanted"]').click()`);
    assert.equal(await entry(stored), '["one/p7"]');
    const other = await open('/tournaments/two');
    assert.equal(await other(textsOf('.pinned, .mine, .starred')), '');
    const page = await open('/tournaments/one');
    assert.equal(await page(textsOf('tbody:not(.pinned) .mine .name')), 'Gus Wanted');
    assert.equal(await page(textsOf(myCard)), 'Table 2 Fa Sam Twin Fa Followed: Gus Wanted');
    assert.equal(await page(`document.querySelectorAll('.slide .mine').length`), 1);
    await publishFeed(pool, [told('one', 2), told('two', 2)]);
    await untilIt(page, myCard, /^Table 2 Fa Followed: Gus Wanted Fa Sam Twin$/);
    await publishFeed(pool, [told('one', 3), told('two', 3)]);
    await untilIt(page, myCard, /^Table 1 Fa Followed: Gus Wanted Fa Ada North$/);
    assert.match(
      String(await page(textsOf('.pinned'))),
      /^Followed Followed: \d , playing now, T1 Fa Gus Wanted/,
    );
  },
);

test(
  'the star of the other event is a star of its own, and marks in the board and under Rounds',
  { skip },
  async () => {
    const entry = await open('/tournaments/two/players/p7');
    assert.equal(await entry(`document.querySelector('.star').ariaPressed`), 'false');
    await entry(`document.querySelector('.star[value="two/p7"]').click()`);
    assert.equal(await entry(stored), '["one/p7","two/p7"]');
    const board = await open('/tournaments/two');
    assert.equal(await board(`document.querySelectorAll('.star').length`), 0);
    assert.equal(await board(textsOf('tbody:not(.pinned) .mine .name')), 'Greta Other');
    await board(`localStorage.setItem('followed', '["one/p7","two/p7","two/p4"]')`);
    const rounds = await open('/tournaments/two/rounds?by=player');
    const people = (list: string) => rounds(textsOf(`.people${list} > .mine > :not(.crest, .num)`));
    const marked = 'Followed: Greta Other vs Ada North | Followed: Sam Twin vs Cleo Marsh';
    assert.equal(await people(':not(.mine-top)'), marked);
    assert.equal(await people('.mine-top'), marked);
    const live = await open('/tournaments/two/players/p4');
    assert.match(
      String(await live(textsOf('.card.big'))),
      /^Table 2 Round 3 · vs Cleo Marsh Faction 3 · both lists$/,
    );
    await live(`localStorage.setItem('followed', '["one/p7","two/p7"]')`);
  },
);

test('the field finds both guests of one name, and each row leads to its own page', { skip }, async () => {
  const page = await open('/tournaments/two');
  await page(`{ const field = document.querySelector('.find input'); field.focus(); field.value = 'sam tw';
    field.dispatchEvent(new Event('input', { bubbles: true })); }`);
  await eventually(async () =>
    assert.equal(
      await page(`[...document.querySelectorAll('.found li a')].map((a) => a.pathname).toSorted().join()`),
      '/tournaments/two/players/p2,/tournaments/two/players/p4',
    ),
  );
});

test(
  'erased in the middle: the open pages forget the guest, and the star leads nowhere',
  { skip },
  async () => {
    const entry = await open('/tournaments/one/players/p7');
    assert.equal(await entry(textsOf('h1 bdi')), 'Gus Wanted');
    const page = await open('/tournaments/one');
    assert.match(String(await page(textsOf('main'))), /Gus Wanted/);
    await publishFeed(pool, [{ kind: 'participant', tournament: 'one', id: 'p7', erased: true }]);
    await untilIt(page, 'main', /^(?!.*Gus Wanted)/s);
    assert.equal(await page(textsOf('.pinned, .mine, .starred')), '');
    assert.doesNotMatch(String(await page('document.documentElement.outerHTML')), /one\/p7|players\/p7|Gus/);
    assert.equal((await fetch(`${server.siteUrl}/tournaments/one/players/p7`)).status, 404);
    // The other event is not affected.
    const other = await open('/tournaments/two');
    assert.equal(await other(textsOf('tbody:not(.pinned) .mine .name')), 'Greta Other');
    assert.deepEqual(browser?.complaints, []);
  },
);
