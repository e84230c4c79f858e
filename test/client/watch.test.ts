import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { freePort } from '../../harness/support/postgres.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { type Job, javaScript, onNode20, onPython, perform, type Result } from './clients.ts';
import { listen, send } from './listen.ts';

// Runs the clients against a server that restarts, on every runtime: two versions of Node, Python, and a page
// in a browser whose origin is neither that of the API nor that of the site.

const database = await createTestDatabase();
const { key } = await createTestKey(database);
const serving = await database.loginAs('wartable_serve');
const apiPort = await freePort();
const baseUrl = `http://localhost:${apiPort}`;
const cups = (points: number): FeedRecord[] =>
  [0, 1, 2, 3].map((number) => ({
    kind: 'tournament',
    slug: `cup-${number}`,
    published: true,
    name: 'Cup',
    status: 'ongoing',
    battleSize: 1000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: ['a', 'b', 'c'].map((id) => ({ id, name: id })),
    battles: [
      {
        id: `battle-${number}`,
        stage: 'swiss',
        round: 1,
        table: 1,
        finished: true,
        sides: ['a', 'b'].map((participant) => ({ participant, victoryPoints: points })),
      },
    ],
  }));
await publishFeed(database.pool, cups(1));
let server = await startTestServer(serving, { apiPort });

const site = server.siteUrl;
const browser = await startBrowser();
if (browser !== undefined) atEnd(browser.close);
const script = readFileSync(new URL('perform.mjs', import.meta.url));
const page = await listen(({ url }, response) =>
  url === '/perform.mjs'
    ? response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    : response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>'),
);

test('the site has the clients, for pages of any origin', async () => {
  for (const file of ['wartable.mjs', 'wartable.d.mts', 'wartable.py', 'mirror.mjs']) {
    const answer = await fetch(`${site}/client/${file}`);
    const committed = readFileSync(new URL(`../../docs/recipes/client/${file}`, import.meta.url), 'utf8');
    assert.equal(await answer.text(), committed);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  }
});

test(
  'in a page of another origin: pages, 304s, refusals with their id, faults and redirects',
  { skip: withoutBrowser },
  async () => {
    const elsewhere: unknown[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request.url);
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{"data":{}}');
    });
    let turn = 0;
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, If-None-Match',
      'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id',
    };
    const faulty = await listen((request, response) => {
      if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
      if (request.url?.includes('moved'))
        return response.writeHead(307, { ...cors, location: `${other}/api/v1/clubs/x` }).end();
      turn += 1;
      if (turn === 1)
        return send(
          response,
          429,
          { error: { status: 429, code: 'X', message: '' } },
          { ...cors, 'retry-after': '1' },
        );
      if (turn === 2) {
        response.writeHead(200, { ...cors, 'content-length': '99' });
        return response.write('{"data":{}}', () => response.destroy());
      }
      return send(response, 200, { data: { turn } }, cors);
    });
    const slow = await listen(() => {});
    const list = { name: 'tournaments.participants', args: ['cup-0'] };
    const club = (slug: string) => ({ name: 'clubs.get', args: [slug] });
    const [good = [], faults = [], late = []] = await inBrowser([
      { options: { baseUrl, key, pageSize: 2 }, calls: [list, list, club('unknown')] },
      { options: { baseUrl: faulty, key }, calls: [club('c'), club('moved')] },
      { options: { baseUrl: slow, key, timeoutSeconds: 0.3 }, calls: [club('c')] },
    ]);
    const [inNode = []] = await perform(javaScript, [{ options: { baseUrl, key }, calls: [list] }]);
    assert.deepEqual(good.slice(0, 2), [inNode[0], inNode[0]]);
    assert.equal(
      browser?.statuses.filter(({ url, status }) => url.includes('participants') && status === 304).length,
      2,
    );
    assert.deepEqual([good[2]?.error?.code, good[2]?.error?.status], ['NOT_FOUND', 404]);
    assert.match(String(good[2]?.error?.requestId), /^[\w-]{8,}$/);
    assert.deepEqual(faults[0], { value: { turn: 3 } });
    assert.equal(faults[1]?.error?.code, 'REDIRECT');
    assert.equal(late[0]?.error?.code, 'NO_ANSWER');
    assert.deepEqual(elsewhere, []);
  },
);

test('watch goes on after a restart of the server, and shows what changed meanwhile', async () => {
  const runtimes = [javaScript, onNode20, onPython].filter(({ skip }) => skip === false);
  const watch = (cup: string): Job[] => [
    {
      options: { baseUrl, key, timeoutSeconds: 2 },
      calls: [{ name: 'watch', args: [cup], options: { everySeconds: 0.1 }, take: 2 }],
    },
  ];
  const watchers = runtimes.map((client, number) => perform(client, watch(`cup-${number}`)));
  if (browser !== undefined) watchers.push(inBrowser(watch(`cup-${runtimes.length}`)));
  await eventually(() => {
    for (const number of watchers.keys())
      assert.ok(server.log().split(`/cup-${number}/standings`).length > 2);
  });
  await server.close();
  await publishFeed(database.pool, cups(7));
  server = await startTestServer(serving, { apiPort });
  for (const [number, results] of watchers.entries()) {
    const [[result] = []] = await results;
    const seen = result?.value as { kind: string; data: { victoryPoints: number }[] }[] | undefined;
    assert.deepEqual(
      seen?.map(({ kind, data }) => [kind, data[0]?.victoryPoints]),
      [
        ['board', 1],
        ['board', 7],
      ],
      `${runtimes[number]?.name ?? 'in a page'}: ${JSON.stringify(result)}`,
    );
  }
});

async function inBrowser(jobs: Job[]): Promise<Result[][]> {
  assert.ok(browser !== undefined);
  await browser.open(page);
  const result = await browser.evaluate(
    `Promise.all([import('${page}/perform.mjs'), import('${site}/client/wartable.mjs')])
      .then(([{ perform }, client]) => perform(client, ${JSON.stringify(jobs)}))
      .then(JSON.stringify, (error) => JSON.stringify({ failed: String(error) }))`,
  );
  return JSON.parse(String(result)) as Result[][];
}
