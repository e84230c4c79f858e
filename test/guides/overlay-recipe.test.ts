import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { root } from '../../harness/guides/samples.ts';

// Opens docs/recipes/overlay.html as OBS does, from the disk in a real browser, while an event is being
// played.

const file = pathToFileURL(path.join(root, 'docs/recipes/overlay.html')).href;
const hostile = '<img src=x onerror="document.title=1">';
const long = 'w'.repeat(90);
const names = [hostile, 'Bo', 'Cy', '${1}</script>', 'Eve', long];
const event = (more: object = {}): FeedRecord => ({
  kind: 'tournament',
  slug: 'streamed',
  published: true,
  name: 'Streamed',
  status: 'ongoing',
  startDate: new Date().toISOString().slice(0, 10),
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'The & Swiss', type: 'board', rounds: 2 }],
  participants: names.map((name, i) => ({ id: `p${i}`, name, faction: i === 0 ? '<b>Moths</b>' : null })),
  ...more,
});
/**
 * Returns a game. `points` of a result may be empty, in which case only the winner is known, or that it was a
 * draw.
 */
const game = (round: number, table: number, points?: number[], isDraw = false): FeedRecord => ({
  kind: 'battle',
  tournament: 'streamed',
  id: `g${round}${table}`,
  stage: 'swiss',
  round,
  table,
  finished: points !== undefined,
  ...(points && !isDraw && { winner: `p${2 * table - 2}` }),
  sides: [2 * table - 2, 2 * table - 1].map((number, i) => ({
    participant: `p${number}`,
    ...(points?.[i] !== undefined && { victoryPoints: points[i] }),
  })),
});
const rounds = (round: number) => [1, 2, 3].map((table) => game(round, table));

test(
  'the overlay follows a running event, politely, and shows names as text',
  { skip: withoutBrowser },
  async () => {
    const database = await createTestDatabase();
    const { key } = await createTestKey(database);
    const server = await startTestServer(await database.loginAs('wartable_serve'));
    const browser = await startBrowser();
    assert.ok(browser);
    try {
      await publishFeed(database.pool, [event(), ...rounds(1)]);
      const overlay = async (more: string, given = key) => {
        const settings = new URLSearchParams({ api: server.apiUrl, event: 'streamed', key: given });
        // A change of the fragment alone would load nothing.
        await browser.open('about:blank');
        await browser.open(`${file}#${settings.toString()}&seconds=0.3${more}`);
      };
      const text = async () => String(await browser.evaluate('document.querySelector("main").innerText'));
      const shows = (...expected: RegExp[]) =>
        eventually(async () => {
          for (const each of expected) assert.match(await text(), each);
        });
      await overlay('');
      await shows(/^The & Swiss · Round 1 0 of 3 in/, /\n2\n+Cy\n+\$\{1\}<\/script>/);
      assert.ok((await text()).includes(`${hostile} <b>Moths</b>`));
      assert.equal(await browser.evaluate('document.querySelectorAll("main img, main b b").length'), 0);
      assert.equal(await browser.evaluate('document.title'), 'Overlay');
      assert.ok((await text()).includes(long));
      const width = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';
      assert.equal(await browser.evaluate(width), true, 'nothing is wider than the source');

      await publishFeed(database.pool, [game(1, 2, [21, 9.5])]);
      await shows(/1 of 3 in/, /Cy\n+21\n+W\n/, /9\.5\n+L/);
      // Even without points, a decided table looks different from an open one.
      await publishFeed(database.pool, [game(1, 1, []), game(1, 3, [], true)]);
      await shows(/3 of 3 in/, /Moths<\/b>\n+W\n+Bo\n+L/, /Eve\n+D\n+w+\n+D/);
      const colours = `[...new Set([...document.querySelectorAll('li span')].map((side) =>
        getComputedStyle(side).color))].length`;
      assert.equal(await browser.evaluate(colours), 2, 'those who won look different from the others');
      await publishFeed(database.pool, [game(1, 1), game(1, 3)]);
      await shows(/1 of 3 in/);
      assert.equal(await browser.evaluate(colours), 3, 'and open tables from both');
      const { statuses, requested } = browser;
      // Leaves out the browser's preflights.
      const polls = () =>
        statuses.flatMap(({ url, status }) => (url.endsWith('/now') && status !== 204 ? [status] : []));
      // While nothing happens, each poll is an empty 304.
      const before = polls().length;
      await eventually(() => assert.ok(polls().length > before + 3));
      assert.deepEqual(new Set(polls().slice(before + 1)), new Set([304]));
      assert.deepEqual(
        requested.filter((url) => !url.startsWith('file:') && !url.startsWith(server.apiUrl)),
        [],
      );
      assert.ok(requested.every((url) => !url.includes(key) || url.startsWith('file:')));

      await publishFeed(database.pool, [game(1, 1, [20, 0]), game(1, 3, [20, 0]), ...rounds(2)]);
      await shows(/Round 2 0 of 3 in/);
      await overlay('&table=2');
      await shows(/Cy/);
      assert.doesNotMatch(await text(), /Bo|Eve/);
      await publishFeed(database.pool, [event({ status: 'finished' })]);
      await eventually(async () => assert.equal(await text(), ''));
      assert.deepEqual(browser.complaints.splice(0), []);

      await overlay(
        '',
        key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
      );
      await shows(/^Invalid API key/);
      await publishFeed(database.pool, [event()]);
      await overlay('');
      await shows(/Round 2/);
      await server.close();
      const failed = requested.length;
      await eventually(() => assert.ok(requested.length > failed + 3));
      // What has been shown stays.
      assert.match(await text(), /Round 2/);
    } finally {
      await browser.close();
    }
  },
);

test('the overlay never hurries, whatever it is told to wait', { skip: withoutBrowser }, async () => {
  let asked = 0;
  let retryAfter = '';
  const refusing = createServer((_, response) => {
    asked += 1;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization');
    response.setHeader('access-control-expose-headers', 'retry-after');
    if (retryAfter !== '') response.setHeader('retry-after', retryAfter);
    response.statusCode = 503;
    response.end();
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const { port } = refusing.address() as AddressInfo;
  const browser = await startBrowser();
  assert.ok(browser);
  try {
    for (const [wait, seconds] of [
      ['', 'x'],
      ['', '0'],
      ['Wed, 21 Oct 2026 07:28:00 GMT', '15'],
      ['99999999', '15'],
    ] as const) {
      asked = 0;
      retryAfter = wait;
      await browser.open('about:blank');
      await browser.open(`${file}#api=http://127.0.0.1:${port}&event=e&key=k&seconds=${seconds}`);
      await eventually(() => assert.ok(asked > 0));
      await sleep(1000);
      // These are the poll and the browser's preflight.
      assert.ok(asked <= 2, `${asked} requests: Retry-After "${wait}", seconds=${seconds}`);
    }
  } finally {
    await browser.close();
    refusing.close();
  }
});
