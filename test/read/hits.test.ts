import assert from 'node:assert/strict';
import { Agent, get as httpGet } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { revokeKey } from '../../src/keys/store.ts';
import { wartable } from '../../harness/support/command.ts';
import { slowClock } from '../../harness/support/clock.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { exchange, type RawAnswer } from '../../harness/support/raw-socket.ts';
import { createTestKey, eventually, startTestServer, type TestServer } from '../../harness/support/server.ts';
import { battlesOf, hiddenTournament, onlyPlayer, openFeed } from '../api/hidden-tournaments.ts';

// Answers from memory, which bypass the routes, must not differ from those of the routes.
const database = await createTestDatabase();
await publishWorld(database.pool);
const login = await database.loginAs('wartable_serve');
const options = { apiUrl: 'https://api.wartable.example' };
const server = await startTestServer(login, options);
const withoutMemory = await startTestServer(login, { ...options, cacheMegabytes: 0 });
const { key } = await createTestKey(database);
const early = answeredEarly(server);

const targets = [
  '/tournaments?limit=20',
  '/tournaments/event-0',
  '/tournaments/event-0/standings',
  '/clubs/club-0',
  '/users/p_1/battles',
  '/battles/b_0_1',
];

test('an answer from memory has the same bytes as any other, for GET and HEAD, 200 and 304, in every encoding', async () => {
  await eventually(() => assert.match(server.log(), /listening for notices/));
  for (const target of targets) {
    const tag = (await send(server, 'GET', target)).header('etag') ?? '';
    for (const method of ['GET', 'HEAD']) {
      for (const headers of [
        [],
        ['Accept-Encoding: gzip'],
        ['Accept-Encoding: br'],
        [`If-None-Match: ${tag}`],
        ['If-None-Match: *'],
        ['Connection: close'],
      ]) {
        const ordinary = await send(withoutMemory, method, target, ...headers);
        await send(server, method, target, ...headers);
        const hit = await hitOf(() => send(server, method, target, ...headers));
        assert.equal(hit.comparable, ordinary.comparable, `${method} ${target} ${headers.join()}`);
        if (method === 'HEAD') assert.equal(hit.text, '');
        assert.match(hit.header('x-request-id') ?? '', /^[\da-f-]{36}$/);
      }
    }
  }
});

test('a key whose reads fill its share of the bytes in flight still gets answers from memory', async () => {
  await send(server, 'GET', '/clubs/club-0');
  const client = await database.pool.connect();
  await client.query('begin; lock table published.tournament in access exclusive mode');
  const cold = Array.from({ length: 100 }, (_, i) =>
    send(server, 'GET', `/tournaments?to=2026-01-01&limit=${i + 1}`),
  );
  try {
    await sleep(200);
    assert.equal((await hitOf(() => send(server, 'GET', '/clubs/club-0'))).status, 200);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await Promise.all(cold);
});

test('unusual requests for an answer in memory take the longer way', async () => {
  const club = `/api/v1/clubs/club-0`;
  const usual = `GET ${club} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  for (const [request, status] of [
    [usual.replace('GET', 'POST'), 405],
    [usual.replace('HTTP/1.1', 'HTTP/1.0'), 200],
    [usual.replace('Host: x\r\n', ''), 400],
    [`${usual}Host: y\r\n`, 400],
    [`${usual}Authorization: Bearer ${key}\r\n`, 401],
    [usual.replace(key, `${key}x`), 401],
    [`${usual}Content-Length: 0\r\n`, 200],
    [usual.replace('Host: x', 'Host: x\r\nTransfer-Encoding: chunked'), 400],
  ] as const) {
    await send(server, 'GET', '/clubs/club-0');
    const before = early();
    assert.equal((await exchange(server.apiUrl, `${request}\r\n`)).status, status, request);
    assert.equal(early(), before, request);
  }
});

test('10,000 answers from memory, 200s and 304s, send no statement in a session for documents', async () => {
  const tag = (await send(server, 'GET', '/clubs/club-0')).header('etag') ?? '';
  const before = await statements();
  assert.ok(before.length > 0);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const sent = early();
  const statuses = new Map<number, number>();
  for (let i = 0; i < 10_000; i += 100) {
    const batch = Array.from({ length: 100 }, (_, k) =>
      statusOf(agent, '/clubs/club-0', k % 2 === 0 ? {} : { 'if-none-match': tag }),
    );
    for (const status of await Promise.all(batch)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  agent.destroy();
  assert.deepEqual(Object.fromEntries(statuses), { 200: 5_000, 304: 5_000 });
  // A key is looked up again after 10 s. The requests that wait for that take the longer path, but also come
  // from memory.
  assert.ok(early() - sent > 9_500, `${early() - sent} of them`);
  // A session that has been idle for long may have been closed by now.
  const others = async () =>
    (await statements()).filter((each) => !before.some((known) => isDeepStrictEqual(known, each)));
  assert.deepEqual(await others(), []);
  await send(withoutMemory, 'GET', '/clubs/club-0');
  assert.notDeepEqual(await others(), [], 'a read would have been seen');
});

test('an answer from memory while draining closes its connection', async () => {
  const draining = await startTestServer(login, { ...options, drainSeconds: 3 });
  const earlyOfIt = answeredEarly(draining);
  await eventually(async () => {
    assert.notEqual((await send(draining, 'GET', '/clubs/club-0')).header('connection'), 'close');
    assert.ok(earlyOfIt() > 0);
  });
  const before = earlyOfIt();
  const closed = draining.close();
  await sleep(50);
  for (const method of ['GET', 'HEAD'])
    assert.equal((await send(draining, method, '/clubs/club-0')).header('connection'), 'close');
  assert.equal(earlyOfIt(), before + 2);
  await closed;
});

test('a revoked key is refused where the answer is in memory', async (t) => {
  slowClock(t);
  const revoked = await createTestKey(database);
  const ask = () => exchange(server.apiUrl, requestOf('GET', '/clubs/club-0', [], revoked.key));
  await ask();
  assert.equal((await hitOf(ask)).status, 200);
  await revokeKey(database.pool, revoked.id);
  await eventually(async () => assert.equal((await ask()).status, 401));
  assert.equal((await ask()).status, 401);
});

test('the log line of an answer from memory has the same fields as any other, and no key', async () => {
  for (const headers of [[], ['If-None-Match: *'], ['Accept-Encoding: br']]) {
    await send(server, 'GET', '/clubs/club-0', ...headers);
    const hit = await hitOf(() => lineOf(server, headers));
    const ordinary = await lineOf(withoutMemory, headers);
    assert.deepEqual(Object.keys(hit).toSorted(), Object.keys(ordinary).toSorted());
    for (const [field, value] of Object.entries(ordinary)) {
      assert.equal(typeof hit[field], typeof value, field);
      if (!['time', 'requestId', 'ms'].includes(field)) assert.equal(hit[field], value, field);
    }
  }
});

test('a valid traceparent is a field of the log line, from memory and from a route; no other text of it is', async () => {
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const valid = `00-${trace}-${parent}-01`;
  await send(server, 'GET', '/clubs/club-0');
  const plain = await send(withoutMemory, 'GET', '/clubs/club-0');
  const bothLines = async (headers: string[]) => [
    await hitOf(() => lineOf(server, headers)),
    await lineOf(withoutMemory, headers),
  ];
  for (const given of [valid, `01-${trace}-${parent}-00`]) {
    const headers = [`Traceparent: ${given}`, 'Tracestate: a=1'];
    for (const line of await bothLines(headers)) assert.equal(line['traceparent'], given);
    const hit = await hitOf(() => send(server, 'GET', '/clubs/club-0', ...headers));
    assert.equal(hit.comparable, plain.comparable);
  }
  for (const headers of [
    [],
    ['Traceparent:'],
    [`Traceparent: ${valid}`, `Traceparent: ${valid}`],
    [`Traceparent: ${valid}-and-more`],
    [`Traceparent: ff-${trace}-${parent}-01`],
    [`Traceparent: 00-${'0'.repeat(32)}-${parent}-01`],
    [`Traceparent: 00-${trace}-${'0'.repeat(16)}-01`],
    [`Traceparent: ${valid.toUpperCase()}`],
    [`Traceparent: 00-${trace}-${parent}-0"`],
    [`Traceparent: 00-${trace}-${parent}-0\\`],
    [`Traceparent: 00-${trace}\t${parent}-01`],
    [`Traceparent: 00-${trace}-${parent}-0\xff`],
    [`Traceparent: ","status":500,"x":"`],
    [`Traceparent: ${key}`],
    [`Traceparent: 00-${'a'.repeat(6_000)}`],
  ]) {
    for (const line of await bothLines(headers)) {
      assert.ok(!('traceparent' in line), headers.join());
      assert.equal(line['status'], 200);
    }
  }
  const control = await send(server, 'GET', '/clubs/club-0', `Traceparent: 00-\x01${trace}`);
  assert.equal(control.status, 400);
  assert.ok(!server.log().includes('\x01'));
});

test('a hidden tournament leaves the memory of every instance within a second', async () => {
  const season = await createTestDatabase();
  const serving = await season.loginAs('wartable_serve');
  const instances = [await startTestServer(serving), await startTestServer(serving)];
  const { key: seasonKey } = await createTestKey(season);
  const slug = 'soon-hidden';
  await publishFeed(season.pool, [...openFeed([slug]), hiddenTournament(slug, 0, true)]);
  const own = ['', '/standings', '/standings?stage=swiss', '/participants', '/battles']
    .map((path) => `/tournaments/${slug}${path}`)
    .concat(battlesOf(slug).map((id) => `/battles/${id}`));
  const lists = [
    '/tournaments',
    '/tournaments?status=finished',
    '/clubs/tidewatch/tournaments',
    '/clubs/tidewatch/battles',
    '/users/ana/battles',
    `/users/${onlyPlayer(slug)}/battles`,
  ];
  const tags = new Map<string, string>();
  const ask = (instance: TestServer, target: string, ...headers: string[]) =>
    exchange(instance.apiUrl, requestOf('GET', target, headers, seasonKey));
  for (const instance of instances) {
    await eventually(() => assert.match(instance.log(), /listening for notices/));
    const earlyOfIt = answeredEarly(instance);
    for (const target of [...own, ...lists]) {
      for (let i = 0; i < 3; i += 1) {
        const { status, text, header } = await ask(instance, target);
        assert.equal(status, 200, target);
        assert.ok(
          text.includes(slug) || target.includes('standings') || target.includes('participants'),
          target,
        );
        tags.set(target, header('etag') ?? '');
      }
    }
    assert.ok(earlyOfIt() >= own.length + lists.length);
  }

  const run = await wartable(['tournaments', 'unpublish', slug], { DATABASE_URL: season.url });
  assert.equal(run.code, 0, run.stderr);
  for (const instance of instances) {
    await eventually(async () => assert.equal((await ask(instance, own[0] ?? '')).status, 404));
    for (const headers of [
      [],
      ['Accept-Encoding: br'],
      ['If-None-Match: *'],
      ['If-None-Match: of the target'],
    ]) {
      for (const target of own) {
        const given = headers.map((line) => line.replace('of the target', tags.get(target) ?? ''));
        assert.equal((await ask(instance, target, ...given)).status, 404, target);
      }
    }
    for (const target of lists) {
      const { status, text } = await ask(instance, target, `If-None-Match: ${tags.get(target)}`);
      assert.equal(status, 200, target);
      assert.ok(!text.includes(slug), target);
    }
  }
});

/** Returns the line of the log for one answer. */
async function lineOf(of: TestServer, headers: string[]): Promise<Record<string, unknown>> {
  const id = (await send(of, 'GET', '/clubs/club-0', ...headers)).header('x-request-id') ?? '';
  let line = '';
  await eventually(() => {
    line =
      of
        .log()
        .split('\n')
        .find((each) => each.includes(id)) ?? '';
    assert.notEqual(line, '');
  });
  assert.ok(!line.includes('svc_v1_'), line);
  return JSON.parse(line) as Record<string, unknown>;
}

/** Counts the answers that were complete by the time their request had been handed over. */
function answeredEarly({ api }: TestServer): () => number {
  let count = 0;
  api.on('request', (_message, response) => {
    if (response.writableEnded) count += 1;
  });
  return () => count;
}

/**
 * Calls until the answer comes from memory. On a busy machine a new LISTEN may empty the memory in between.
 */
async function hitOf<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const before = early();
    const answer = await call();
    if (early() === before + 1) return answer;
  }
  throw new Error('no answer came from memory');
}

function send(to: TestServer, method: string, target: string, ...headers: string[]): Promise<RawAnswer> {
  return exchange(to.apiUrl, requestOf(method, target, headers, key));
}

function requestOf(method: string, target: string, headers: string[], bearerKey: string): string {
  const lines = ['Host: localhost', `Authorization: Bearer ${bearerKey}`, ...headers];
  return `${method} /api/v1${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function statusOf(agent: Agent, target: string, headers: Record<string, string>): Promise<number> {
  const withKey = { authorization: `Bearer ${key}`, ...headers };
  return new Promise((resolve, reject) => {
    httpGet(`${server.apiUrl}/api/v1${target}`, { agent, headers: withKey }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

/** Returns the time at which each session for documents began its last statement. */
async function statements(): Promise<unknown[]> {
  const { rows } = await database.pool.query(`
    select pid, query_start::text from pg_stat_activity
    where application_name = 'wartable' and datname = current_database() order by pid`);
  return rows;
}
