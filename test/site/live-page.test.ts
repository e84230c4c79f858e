import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { moments, players } from './scripted-event.ts';

const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const event = (status: 'ongoing' | 'finished'): FeedRecord => ({
  kind: 'tournament',
  slug: 'now',
  name: 'Event now',
  published: true,
  status,
  startDate: new Date().toISOString().slice(0, 10),
  description: 'Line\n'.repeat(200),
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 5 }],
  participants: [
    { id: 'a', player: 'p_1' },
    { id: 'b', player: 'p_2' },
  ],
  battles: [
    {
      id: 'now-1',
      stage: 'swiss',
      round: 1,
      finished: true,
      winner: 'a',
      sides: [
        { participant: 'a', battlePoints: 3 },
        { participant: 'b', battlePoints: 0 },
      ],
    },
  ],
});
const named = (id: string, name: string): FeedRecord => ({ kind: 'player', id, name });
await publishFeed(database.pool, [named('p_1', 'Player 1'), named('p_2', 'Player 2'), event('ongoing')]);
const server = await startTestServer(await database.loginAs('wartable_serve'));

/** Remembers the status of each poll, and adds a list that unfolds, which this page does not have. */
const instruments = `
  const list = '<details id="list-1"><summary>List</summary>Long</details>';
  main.insertAdjacentHTML('beforeend', list);
  window.statuses = [];
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    statuses.push(answer.status);
    if (answer.status !== 200) return answer;
    return new Response((await answer.text()).replace('</main>', list + '</main>'), answer);
  };`;

test(
  'a live page changes with the event, keeps scroll, focus and lists, and ends with it',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    const run = async (code: string) => browser.evaluate(`(async () => { ${code} })()`);
    /** Sends two events at once, as when the tab becomes visible while the page is asking. */
    const poll = async () =>
      run(`
      statuses.length = 0;
      for (const _ of [1, 2]) document.dispatchEvent(new Event('visibilitychange'));
      const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      // An answer that comes after the next poll began would be lost.
      for (let i = 0; i < 100 && statuses.length === 0; i += 1) await rest(50);
      await rest(400);
      return statuses.join();`);
    const untilPollGets = async (status: string) =>
      eventually(async () => assert.equal(await poll(), status));
    await browser.open(`${server.siteUrl}/tournaments/now`);
    await eventually(async () => assert.equal(await run(`return document.readyState`), 'complete'));
    await run(instruments);
    assert.equal(await poll(), '304');

    await run(`document.querySelector('a[href="/tournaments/now/players/b"]').focus(); scrollTo(0, 700)`);
    await publishFeed(database.pool, [named('p_1', 'Newcomer')]);
    await untilPollGets('200');
    const seen = `return [scrollY, document.activeElement.getAttribute('href'), main.innerText.includes('Newcomer')].join()`;
    assert.equal(await run(seen), '700,/tournaments/now/players/b,true');
    assert.equal(await poll(), '304');

    await run(`const list = document.querySelector('details'); list.open = true; list.firstChild.focus()`);
    await publishFeed(database.pool, [named('p_1', 'Latecomer')]);
    await untilPollGets('200');
    assert.match(
      String(
        await run(`return [document.activeElement.outerHTML, document.querySelector('details').open].join()`),
      ),
      /^<summary>[\w ]+<\/summary>,true$/,
    );

    await publishFeed(database.pool, [event('finished')]);
    await untilPollGets('200');
    assert.equal(await poll(), '');
    assert.match(String(await run('return main.innerText')), /Won by Latecomer/);
    assert.deepEqual(browser.complaints, []);
  },
);

test('the page says what is new, and when the connection is lost and back', { skip }, async () => {
  assert.ok(browser !== undefined);
  const before = moments['round 1 is paired'];
  const after = moments['all results of round 1 but one are in'];
  assert.ok(before?.battles && after?.battles);
  await publishFeed(database.pool, [...players, before]);
  await eventually(async () =>
    assert.equal((await fetch(`${server.siteUrl}/tournaments/cup/rounds`)).status, 200),
  );
  await browser.open(`${server.siteUrl}/`);
  await browser.evaluate(`localStorage.setItem('followed', '["kim"]')`);
  await browser.open(`${server.siteUrl}/tournaments/cup/rounds`);
  const line = () => browser.evaluate(`document.querySelector('.pulse').innerText.replaceAll(/\\s+/g, ' ')`);
  const look = () => browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const says = (expected: RegExp) =>
    eventually(async () => {
      await look();
      assert.match(String(await line()), expected);
    });
  // As long as the page is up to date, there is nothing to say.
  await says(/^ ?$/);
  // The first poll finds nothing new.
  await eventually(async () => {
    const polls = browser.statuses.filter(({ url }) => url === `${server.siteUrl}/tournaments/cup/rounds`);
    assert.deepEqual(new Set(polls.slice(1).map(({ status }) => status)), new Set([304]));
  });

  const results = new Map(after.battles.map((each) => [each.id, each]));
  const withResult = (...ids: string[]) => ({
    ...before,
    battles:
      before.battles?.map((each) => (ids.includes(each.id) ? (results.get(each.id) ?? each) : each)) ?? [],
  });
  await publishFeed(database.pool, [withResult('cup-swiss-1-4')]);
  await says(/New result: Table 4$/);
  assert.match(
    String(await browser.evaluate(`document.querySelector('.fresh-row').innerText`)),
    /4\s+Gus\s+won\s+30/,
  );
  assert.match(
    String(await browser.evaluate(`document.querySelector('.mine-top').innerText`)),
    /Followed:\s+Kim/,
  );
  await publishFeed(database.pool, [withResult('cup-swiss-1-4', 'cup-swiss-1-1', 'cup-swiss-1-2')]);
  await says(/2 new results$/);

  await browser.evaluate(
    `window.realFetch = window.fetch; window.fetch = async () => { throw new Error('gone'); }`,
  );
  await says(/^Not live · \d\d:\d\d Connection lost, trying again$/);
  await browser.evaluate(`window.fetch = window.realFetch`);
  await says(/^ ?Reconnected$/);
});

const tagOf = (page: string) => (/data-tag="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"');

test('every page of a running event names the tag of its own copy, which the next poll gets a 304 for', async () => {
  const moment = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(moment);
  await publishFeed(database.pool, [...players, moment]);
  for (const path of [
    '/tournaments/cup',
    '/tournaments/cup/rounds',
    '/tournaments/cup/players/kim',
    '/players/kim',
    '/',
  ]) {
    const address = `${server.siteUrl}${path}`;
    await eventually(async () => assert.match(await (await fetch(address)).text(), /data-tag=/, path));
    const page = await fetch(address);
    const tag = tagOf(await page.text());
    assert.equal(tag, page.headers.get('etag'), path);
    assert.equal((await fetch(address, { headers: { 'if-none-match': tag } })).status, 304, path);
  }
});

test("an open page of a battle follows the battle's own list and rounds", { skip }, async () => {
  assert.ok(browser !== undefined);
  const moment = moments['all results of round 1 but one are in'];
  const battle = moment?.battles?.find(({ id }) => id === 'cup-swiss-1-1');
  const [first, second] = battle?.sides ?? [];
  assert.ok(moment && battle && first && second);
  const list = {
    faction: 'Lanternsworn',
    subFaction: '',
    points: 1985,
    battleTacticCards: [],
    text: 'Nine lamps',
  };
  const tell = (more: object) =>
    publishFeed(database.pool, [
      { kind: 'battle', tournament: 'cup', ...battle, sides: [{ ...first, ...more }, second] },
    ]);
  await publishFeed(database.pool, [...players, moment]);
  await tell({ list });
  const path = `/battles/${battle.id}`;
  await eventually(async () =>
    assert.match(await (await fetch(`${server.siteUrl}${path}`)).text(), /data-tag.*Nine lamps/s),
  );
  await browser.open(`${server.siteUrl}${path}`);
  const follows = (shown: RegExp) =>
    eventually(async () => {
      await browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      assert.match(String(await browser.evaluate('main.textContent')), shown);
    });
  const revisionOf = `select revision from published.tournament where slug = 'cup'`;
  const { rows: before } = await database.pool.query(revisionOf);
  list.text = 'Ten lamps';
  await tell({ list });
  await follows(/Ten lamps/);
  await tell({ list, rounds: [{ round: 1, victoryPoints: 3, battleTactic: 'Swift Crossing' }] });
  await follows(/Swift Crossing/);
  const { rows: after } = await database.pool.query(revisionOf);
  assert.deepEqual(after, before, 'the tournament itself did not move');
  // There is nothing new, so a quiet poll gets a 304.
  const held = { 'if-none-match': tagOf(await (await fetch(`${server.siteUrl}${path}`)).text()) };
  assert.equal((await fetch(`${server.siteUrl}${path}`, { headers: held })).status, 304);
});

test(
  'the pages of a battle, a player and a participant, and the front page, follow a running event',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    const before = moments['round 1 is paired'];
    const after = moments['all results of round 1 but one are in'];
    assert.ok(before && after);
    const seen: [string, RegExp, RegExp][] = [
      ['/battles/cup-swiss-1-1', /Ann vs Bea/, /Ann beat Bea/],
      ['/players/ann', /<small>Table<\/small>1/, /W–D–L\s+1–0–0/],
      ['/tournaments/cup/players/ann', /playing now/, /W–D–L\s+1–0–0/],
      ['/', /Round 1 of 5<\/b><span>no result yet/, /Round 1 of 5\s+5 of 6 results in/],
    ];
    for (const [path, first, second] of seen) {
      await publishFeed(database.pool, [...players, before]);
      await eventually(async () =>
        assert.match(await (await fetch(`${server.siteUrl}${path}`)).text(), first),
      );
      await browser.open(`${server.siteUrl}${path}`);
      await publishFeed(database.pool, [after]);
      await eventually(async () => {
        await browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
        assert.match(String(await browser.evaluate('main.innerText')), second);
      });
      // Nothing was lost.
      assert.equal(await browser.evaluate(`document.querySelector('.pulse').firstChild.textContent`), '');
    }
    const finished = { ...after, status: 'finished' as const };
    await publishFeed(database.pool, [finished]);
    await eventually(async () =>
      assert.doesNotMatch(await (await fetch(`${server.siteUrl}/battles/cup-swiss-1-1`)).text(), /data-tag/),
    );
    assert.deepEqual(browser.complaints, []);
  },
);
