import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { atEnd } from '../../support/at-end.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { addTournament, insertRows, noRows, tournament } from '../../support/published-world.ts';
import { eventually, startTestServer } from '../../support/server.ts';
import { startBrowser, withoutBrowser } from '../browser.ts';
import { moments, players } from './scripted-event.ts';

const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
const rows = noRows();
addTournament(rows, tournament({ slug: 'now', status: 'ongoing', description: 'Line\n'.repeat(200) }));
await insertRows(database.pool, rows);
const server = await startTestServer(await database.loginAs('wartable_serve'));

async function change(sql: string): Promise<void> {
  await database.pool.query(`
    ${sql};
    update published.tournament set revision = revision + 1 where slug = 'now';
    select pg_notify('wartable_published', '{"everything":true}')`);
}

/** Remembers the status of each poll, and adds a list to unfold, which this page does not have. */
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
  };
  // The page itself is fetched at most every 30 s.
  const clock = Date.now;
  window.skipped = 0;
  Date.now = () => clock() + skipped;`;

test(
  'a live page changes with the event, keeps scroll, focus and lists, and ends with it',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    const run = async (code: string) => browser.evaluate(`(async () => { ${code} })()`);
    /** Two events at once, as when the tab comes to the front while it asks. */
    const poll = async () =>
      run(`
      statuses.length = 0;
      skipped += 30_000;
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

    await run(`document.querySelector('a[href="/players/p_2"]').focus(); scrollTo(0, 700)`);
    await change(`update published.standings set document = replace(document, 'Player 1', 'Newcomer')`);
    await untilPollGets('200,200');
    const seen = `return [scrollY, document.activeElement.getAttribute('href'), main.innerText.includes('Newcomer')].join()`;
    assert.equal(await run(seen), '700,/players/p_2,true');
    assert.equal(await poll(), '304');

    await run(`const list = document.querySelector('details'); list.open = true; list.firstChild.focus()`);
    await change(`update published.standings set document = replace(document, 'Newcomer', 'Latecomer')`);
    await untilPollGets('200,200');
    assert.match(
      String(
        await run(`return [document.activeElement.outerHTML, document.querySelector('details').open].join()`),
      ),
      /^<summary>[\w ]+<\/summary>,true$/,
    );

    await change(`update published.tournament set document = replace(document, '"ongoing"', '"finished"')`);
    await untilPollGets('200,200');
    assert.equal(await poll(), '');
    assert.match(String(await run('return main.innerText')), /Finished.*Latecomer/s);
    assert.deepEqual(browser.complaints, []);
  },
);

test(
  'the live line says the time, what is new, and when the connection is lost and back',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    const before = moments['round 1 is paired'];
    const after = moments['all results of round 1 but one are in'];
    assert.ok(before?.battles && after?.battles);
    await publishFeed(database.pool, [...players, before]);
    await eventually(async () =>
      assert.equal((await fetch(`${server.siteUrl}/tournaments/cup/rounds`)).status, 200),
    );
    await browser.open(`${server.siteUrl}/tournaments/cup/rounds?player=kim`);
    const line = () =>
      browser.evaluate(`document.querySelector('.pulse').innerText.replaceAll(/\\s+/g, ' ')`);
    const look = () => browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    const says = (expected: RegExp) =>
      eventually(async () => {
        await look();
        assert.match(String(await line()), expected);
      });
    await says(/^Live · updated \d\d:\d\d ?$/);
    // Everybody asks for the same address, and this first poll has nothing new.
    await eventually(async () => {
      const polls = browser.statuses.filter(({ url }) => url === `${server.siteUrl}/tournaments/cup/now`);
      assert.deepEqual(new Set(polls.map(({ status }) => status)), new Set([304]));
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
    await says(/^Live · updated \d\d:\d\d Connected again$/);
  },
);

test('the fragment is small, is shared by all, and is never in a search engine', async () => {
  const moment = moments['two quarter-finals are open, and a semi-final is paired'];
  assert.ok(moment);
  await publishFeed(database.pool, [...players, moment]);
  const address = `${server.siteUrl}/tournaments/cup/now`;
  await eventually(async () => assert.match(await (await fetch(address)).text(), /Quarter-finals · 2 of 4/));
  const answer = await fetch(address);
  const text = await answer.text();
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
  assert.match(text, /^<div class="badges" data-results="3">.*<section class="now".*<section class="now"/s);
  assert.doesNotMatch(text, /<main|<script/);
  assert.ok(brotliCompressSync(text).length < 4_000);
  const script = await readFile(new URL('../../../assets/script.js', import.meta.url));
  assert.ok(brotliCompressSync(script).length < 5_000);
  // Every page of the event names this tag, and the fragment is not sent again for it.
  for (const path of ['/tournaments/cup', '/tournaments/cup/rounds?player=kim', '/players/kim']) {
    const page = await (await fetch(`${server.siteUrl}${path}`)).text();
    const [, now, tag] = /data-now="([^"]+)" data-fragment="([^"]+)"/.exec(page) ?? [];
    assert.equal(now, '/tournaments/cup/now', path);
    assert.equal(tag?.replaceAll('&quot;', '"'), answer.headers.get('etag'), path);
  }
  const held = { 'if-none-match': answer.headers.get('etag') ?? '' };
  assert.equal((await fetch(address, { headers: held })).status, 304);
  assert.equal((await fetch(`${server.siteUrl}/tournaments/gone/now`)).status, 404);
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
    assert.match(await (await fetch(`${server.siteUrl}${path}`)).text(), /data-now.*Nine lamps/s),
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
  assert.match(String(await browser.evaluate(`document.querySelector('.pulse').innerText`)), /^Live · /);
  const { rows: after } = await database.pool.query(revisionOf);
  assert.deepEqual(after, before, 'the tournament itself did not move');
  // Nothing new: a quiet poll gets a 304.
  const page = await fetch(`${server.siteUrl}${path}`);
  const [, now, tag = ''] = /data-now="([^"]+)" data-fragment="([^"]+)"/.exec(await page.text()) ?? [];
  const held = { 'if-none-match': tag.replaceAll('&quot;', '"') };
  assert.equal((await fetch(`${server.siteUrl}${now}`, { headers: held })).status, 304);
});

test('the pages of a battle and a player, and the front page, follow a running event', { skip }, async () => {
  assert.ok(browser !== undefined);
  const before = moments['round 1 is paired'];
  const after = moments['all results of round 1 but one are in'];
  assert.ok(before && after);
  const seen: [string, RegExp, RegExp][] = [
    ['/battles/cup-swiss-1-1', /Ann vs Bea/, /Ann beat Bea/],
    ['/players/ann', /Playing now: table 1/, /Won–drawn–lost\s+1–0–0/],
    ['/', /Round 1 of 5 · no result yet/, /Round 1 of 5 · 5 of 6 results in/],
  ];
  for (const [path, first, second] of seen) {
    await publishFeed(database.pool, [...players, before]);
    await eventually(async () => assert.match(await (await fetch(`${server.siteUrl}${path}`)).text(), first));
    await browser.open(`${server.siteUrl}${path}`);
    await publishFeed(database.pool, [after]);
    await eventually(async () => {
      await browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      assert.match(String(await browser.evaluate('main.innerText')), second);
    });
    assert.match(String(await browser.evaluate(`document.querySelector('.pulse').innerText`)), /^Live · /);
  }
  const finished = { ...after, status: 'finished' as const };
  await publishFeed(database.pool, [finished]);
  await eventually(async () =>
    assert.doesNotMatch(await (await fetch(`${server.siteUrl}/battles/cup-swiss-1-1`)).text(), /data-now/),
  );
  assert.deepEqual(browser.complaints, []);
});
