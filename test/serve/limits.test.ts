import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/keys/key.ts';
import { setAccount } from '../../src/keys/store.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { bearer, createTestKey, startTestServer, type TestServer } from '../../harness/support/server.ts';

// Tests limits without Redis. test/serve/shared-limits.test.ts tests them with it.

const database = await createTestDatabase();
await publishWorld(database.pool);
const login = await database.loginAs('wartable_serve');
const club = '/api/v1/clubs/club-0';
const limited = await startTestServer(login, { rateLimit: 5 });

test('without RATE_LIMIT there is no limit, also none of the account, and no header of one', async () => {
  const server = await startTestServer(login);
  const { key } = await createTestKey(database, 'small');
  await setAccount(database.pool, 'small', { limit: 1 });
  for (let i = 0; i < 30; i += 1) {
    const { status, headers } = await server.get(club, bearer(key));
    assert.equal(status, 200);
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  }
  for (let i = 0; i < 30; i += 1) assert.equal((await server.get(club)).status, 401);
});

test('a key above the limit gets 429 until the window ends, other keys do not', async () => {
  const { key } = await createTestKey(database, 'a');
  const other = await createTestKey(database, 'a');
  const lefts: (string | null)[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { status, headers } = await limited.get(club, bearer(key));
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit-policy'), '"key";q=5;w=60');
    lefts.push(headers.get('ratelimit'));
  }
  assert.deepEqual(
    lefts.map((left) => /^"key";r=(\d);t=(60|59|58)$/.exec(left ?? '')?.[1]),
    ['4', '3', '2', '1', '0'],
  );
  const refused = await limited.get(club, bearer(key));
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after') ?? '', /^(60|59|58|57)$/);
  assert.match(refused.headers.get('ratelimit') ?? '', /^"key";r=0;t=\d\d$/);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(refused.json, {
    error: { status: 429, message: 'Too many requests', code: 'RATE_LIMITED' },
  });
  assert.equal((await limited.get(club, bearer(other.key))).status, 200);
  assert.match(limited.log(), /"status":429,.*"keyId":"\d+"/);
  assert.equal(await metric(limited, 'wartable_limited_total{by="key"}'), '1');
});

test('an answer that the caller holds costs a tenth, for GET and HEAD', async () => {
  const { key } = await createTestKey(database, 'b');
  const full = await limited.get(club, bearer(key));
  const held = { ...bearer(key), 'if-none-match': full.headers.get('etag') ?? '' };
  const statuses: number[] = [];
  const lefts = new Set<string | undefined>();
  // Four requests, or 40 tenths, are left. The last nine tenths are less than the cost of a full answer.
  for (let i = 0; i < 31; i += 1) {
    const method = i % 2 === 0 ? 'GET' : 'HEAD';
    const { status, headers } = await fetch(`${limited.apiUrl}${club}`, { method, headers: held });
    statuses.push(status);
    lefts.add(/r=(\d)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  }
  assert.deepEqual(new Set(statuses), new Set([304]));
  assert.deepEqual([...lefts], ['3', '2', '1', '0']);
  assert.equal((await limited.get(club, held)).status, 429);
});

test('what a key asks for costs the same when it is refused, also below the routes', async () => {
  const { key } = await createTestKey(database, 'c');
  const asks: [path: string, method: string, status: number][] = [
    ['/api/v1/clubs/none', 'GET', 404],
    ['/nowhere', 'GET', 404],
    [club, 'POST', 405],
    [`${club}/%ff`, 'GET', 400],
    ['/api/v1/tournaments?limit=0', 'GET', 400],
    ['/api/v1/tournaments', 'HEAD', 429],
    ['/nowhere', 'GET', 429],
  ];
  for (const [path, method, expected] of asks) {
    const { status } = await fetch(`${limited.apiUrl}${path}`, { method, headers: bearer(key) });
    assert.equal(status, expected, `${method} ${path}`);
  }
});

test('our own endpoints count, too, and a poll without news costs a tenth', async () => {
  const { key } = await createTestKey(database, 'extra');
  const [search, changes] = ['/api/extra/v1/search', '/api/extra/v1/changes'];
  const { headers } = await limited.get(changes, bearer(key));
  for (let poll = 0; poll < 10; poll += 1) {
    const held = { ...bearer(key), 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await limited.get(changes, held)).status, 304);
  }
  const asks: [path: string, status: number][] = [
    [`${search}?q=ab`, 200],
    [`${search}?q=a`, 400],
    [`${changes}?after=000000000000.1`, 410],
    [`${search}?q=ab`, 429],
    [changes, 429],
  ];
  for (const [path, expected] of asks) {
    const answer = await limited.get(path, bearer(key));
    assert.equal(answer.status, expected, path);
    assert.match(answer.headers.get('ratelimit') ?? '', /^"key";r=/);
  }
});

test('a preflight costs nothing, and pages of other origins may read the headers', async () => {
  for (let i = 0; i < 30; i += 1) {
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'GET' };
    const { status } = await fetch(`${limited.apiUrl}${club}`, { method: 'OPTIONS', headers });
    assert.equal(status, 204);
  }
  const { headers } = await limited.get(club, bearer((await createTestKey(database, 'd')).key));
  const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
  for (const name of ['Retry-After', 'RateLimit', 'RateLimit-Policy'])
    assert.ok(exposed.includes(name), name);
});

test('the limit of an account counts all its keys together, above or below RATE_LIMIT', async () => {
  for (const limit of [2, 8]) {
    const account = `account ${limit}`;
    const keys = [await createTestKey(database, account), await createTestKey(database, account)];
    await setAccount(database.pool, account, { limit });
    const statuses: number[] = [];
    for (let i = 0; i <= limit; i += 1) {
      const { status, headers } = await limited.get(club, bearer(keys[i % 2]?.key ?? ''));
      assert.equal(headers.get('ratelimit-policy'), `"account";q=${limit};w=60`);
      statuses.push(status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: limit }, () => 200), 429]);
  }
});

test('an address that fails too often gets 429 instead of 401, and valid keys still pass', async () => {
  const server = await startTestServer(login, { rateLimit: 200 });
  const { key } = await createTestKey(database, 'e');
  const wrong = ['', 'Bearer x', `Bearer ${createKey()}`];
  for (let i = 0; i < 20; i += 1) {
    const { status } = await server.get(club, { authorization: wrong[i % 3] ?? '' });
    assert.equal(status, 401);
  }
  for (const authorization of wrong) {
    const { status, headers } = await server.get(club, { authorization });
    assert.equal(status, 429);
    assert.equal(headers.get('ratelimit-policy'), '"address";q=20;w=60');
    assert.match(headers.get('retry-after') ?? '', /^\d\d$/);
  }
  assert.equal((await server.get(club, bearer(key))).status, 200);
  assert.equal(await metric(server, 'wartable_limited_total{by="address"}'), '3');
});

test('with TRUST_PROXY each address fails by itself, and then costs no look-up of unknown keys', async () => {
  const server = await startTestServer(login, { rateLimit: 200, trustProxy: ['127.0.0.1'] });
  const { key } = await createTestKey(database, 'f');
  const from = (address: string, token: string) =>
    server.get(club, { ...bearer(token), 'x-forwarded-for': address });
  assert.equal((await from('192.0.2.1', key)).status, 200);
  for (let i = 0; i < 20; i += 1) assert.equal((await from('192.0.2.1', 'x')).status, 401);
  assert.equal((await from('192.0.2.1', createKey())).status, 429);
  const before = await metric(server, 'wartable_key_queries_total');
  for (let i = 0; i < 5; i += 1) assert.equal((await from('192.0.2.1', createKey())).status, 429);
  assert.equal(await metric(server, 'wartable_key_queries_total'), before);
  assert.equal((await from('192.0.2.1', key)).status, 200, 'its key was used before');
  assert.equal((await from('192.0.2.2', createKey())).status, 401, 'another address');
});

test('after Retry-After seconds the next request passes', { timeout: 70_000 }, async (t) => {
  const server = await startTestServer(login, { rateLimit: 1 });
  const { key } = await createTestKey(database, 'g');
  assert.equal((await server.get(club, bearer(key))).status, 200);
  const monotonic = performance.now.bind(performance);
  const { mock } = t.mock.method(performance, 'now', () => monotonic() + 30_000);
  const { status, headers } = await server.get(club, bearer(key));
  assert.equal(status, 429);
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds <= 30, `${seconds}`);
  mock.mockImplementation(() => monotonic() + 30_000 + seconds * 1_000);
  assert.equal((await server.get(club, bearer(key))).status, 200);
});

async function metric(server: TestServer, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text();
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.split(' ')[1];
}
