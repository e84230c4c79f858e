import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revokeKey } from '../../src/keys/store.ts';
import * as lists from '../../src/read/lists.ts';
import { byDatePlayed } from '../../src/api/order.ts';
import { slowClock } from '../../harness/support/clock.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import {
  bearer,
  createTestKey,
  eventually,
  startTestServer,
  testCursorSecret,
} from '../../harness/support/server.ts';

const database = await createTestDatabase();
await publishWorld(database.pool);
const serving = await database.loginAs('wartable_serve');
const apiUrl = 'https://api.wartable.example';
const server = await startTestServer(serving, { apiUrl });
const { key } = await createTestKey(database);

const targets = [
  '/api/v1/tournaments',
  '/api/v1/tournaments?status=planned&limit=3',
  '/api/v1/tournaments/event-0',
  '/api/v1/tournaments/event-0/standings',
  '/api/v1/tournaments/event-0/standings?stage=swiss',
  '/api/v1/tournaments/event-0/participants',
  '/api/v1/tournaments/event-0/battles',
  '/api/v1/clubs/club-0',
  '/api/v1/clubs/club-0/tournaments',
  '/api/v1/clubs/club-0/battles',
  '/api/v1/users/p_1/battles',
  '/api/v1/battles/b_0_1',
];

/** Headers that differ from answer to answer, or that depend on the client, which closes after a HEAD. */
const ofTheConnection = new Set(['date', 'x-request-id', 'connection', 'keep-alive']);

const headersOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => !ofTheConnection.has(name)));

const etagOf = async (target: string, from = server, withKey = key) =>
  (await from.get(target, bearer(withKey))).headers.get('etag') ?? '';

for (const target of targets) {
  test(`${target}: a 304 for every form of its tag, and for no other`, async () => {
    const full = await server.get(target, bearer(key));
    const etag = full.headers.get('etag') ?? '';
    for (const condition of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const answer = await server.get(target, { ...bearer(key), 'if-none-match': condition });
      assert.equal(answer.status, 304, condition);
      assert.equal(answer.text, '');
    }
    const other = await server.get(target, { ...bearer(key), 'if-none-match': '"x"' });
    assert.equal(other.status, 200);
    assert.equal(other.text, full.text);
  });

  test(`${target}: HEAD has the headers of GET, and 304s have them but for those of the body, in every encoding`, async () => {
    const etag = await etagOf(target);
    for (const encoding of ['identity', 'gzip', 'br']) {
      const ask = async (method: string, more: Record<string, string> = {}) => {
        const headers = { ...bearer(key), 'accept-encoding': encoding, ...more };
        const response = await fetch(`${server.apiUrl}${target}`, { method, headers });
        const body = await response.arrayBuffer();
        assert.equal(body.byteLength > 0, method === 'GET' && response.status === 200);
        return { status: response.status, headers: headersOf(response) };
      };
      const full = await ask('GET');
      assert.equal(full.status, 200);
      assert.deepEqual(await ask('HEAD'), full);
      const withoutBody = Object.entries(full.headers).filter(([name]) => !name.startsWith('content-'));
      const notModified = { status: 304, headers: Object.fromEntries(withoutBody) };
      assert.deepEqual(await ask('GET', { 'if-none-match': etag }), notModified);
      assert.deepEqual(await ask('HEAD', { 'if-none-match': etag }), notModified);
    }
  });
}

test('bytes and tags are the same on every instance and for every key', async () => {
  const other = await startTestServer(serving, { apiUrl });
  const { key: otherKey } = await createTestKey(database, 'somebody else');
  for (const target of targets) {
    const [one, two] = [await server.get(target, bearer(key)), await other.get(target, bearer(otherKey))];
    assert.equal(two.text, one.text);
    assert.equal(two.headers.get('etag'), one.headers.get('etag'), target);
  }
});

test('tags differ between all answers', async () => {
  const tags = new Set<string>();
  for (const target of targets) tags.add(await etagOf(target));
  assert.equal(tags.size, targets.length);
});

test('the tag of another answer says nothing, though the same revision stands in it', async () => {
  const ofTournament = targets.filter((target) => target.includes('event-0'));
  for (const target of ofTournament) {
    for (const other of ofTournament.filter((each) => each !== target)) {
      const answer = await server.get(target, { ...bearer(key), 'if-none-match': await etagOf(other) });
      assert.equal(answer.status, 200, `${target} with the tag of ${other}`);
    }
  }
});

test('spelling a query differently does not change the tag; another limit, filter or page does', async () => {
  const list = '/api/v1/clubs/club-0/battles';
  const etag = await etagOf(list);
  for (const same of ['?limit=20', '?limit=020', '?unknown=1', '?%6Cimit=20', '?&&']) {
    assert.equal(await etagOf(list + same), etag, same);
  }
  const { json } = await server.get(list, bearer(key));
  const next = (json as { next: string }).next.replace(apiUrl, '');
  const others = [
    await etagOf(`${list}?limit=21`),
    await etagOf(`${list}?from=2024-01-01`),
    await etagOf(next),
  ];
  assert.equal(new Set([etag, ...others]).size, 4);
});

test('a tag holds while nothing moves, and no longer than that', async () => {
  const before = new Map<string, string>();
  for (const target of targets) before.set(target, await etagOf(target));
  // The change and its notice are in one transaction, as in the publisher.
  await database.pool.query(`
    with moved as (
      update published.club set revision = revision + 1000000 where slug = 'club-0' returning revision)
    select pg_notify('wartable_published', json_build_object('moved', json_build_object('club',
      json_build_object('club-0', revision::text)))::text) from moved`);
  await eventually(async () =>
    assert.notEqual(await etagOf('/api/v1/clubs/club-0'), before.get('/api/v1/clubs/club-0')),
  );
  for (const target of targets) {
    const answer = await server.get(target, { ...bearer(key), 'if-none-match': before.get(target) ?? '' });
    assert.equal(answer.status, target.includes('club-0') ? 200 : 304, target);
  }
});

test('the tags of lists change with the public address and the newest secret: their bytes do', async () => {
  const list = '/api/v1/clubs/club-0/battles';
  const moved = await startTestServer(serving, { apiUrl: 'https://elsewhere.example' });
  const rotated = await startTestServer(serving, {
    apiUrl,
    cursorSecrets: ['x'.repeat(32), testCursorSecret],
  });
  const tags = [await etagOf(list), await etagOf(list, moved), await etagOf(list, rotated)];
  assert.equal(new Set(tags).size, 3);
  const { json } = await server.get(list, bearer(key));
  const next = (json as { next: string }).next.replace(apiUrl, '');
  assert.equal((await rotated.get(next, bearer(key))).status, 200, 'an older secret still opens its cursors');
});

test('a revoked key gets 401 and not 304', async (t) => {
  slowClock(t);
  const target = '/api/v1/tournaments';
  const revoked = await createTestKey(database);
  const headers = { ...bearer(revoked.key), 'if-none-match': await etagOf(target, server, revoked.key) };
  assert.equal((await server.get(target, headers)).status, 304);
  await revokeKey(database.pool, revoked.id);
  await eventually(async () => assert.equal((await server.get(target, headers)).status, 401));
});

test('a 304 reads no document: with the revision held, the scan of the list is never begun', async () => {
  const held = await database.pool.query("select revision from published.club where slug = 'club-0'");
  const values = [
    21,
    [held.rows[0].revision],
    ...byDatePlayed.bounds(undefined, { from: undefined, to: undefined }),
    'club-0',
    'https://site.example/battles',
  ];
  const { rows } = await database.pool.query(
    `explain (analyze, costs off) ${lists.battlesOfClub.text}`,
    values,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /club_battle.*\(never executed\)/);
  assert.match(plan, /battle_pkey on battle.*\(never executed\)|SubPlan/);
  const page = await database.pool.query(lists.battlesOfClub.text, values);
  assert.deepEqual(
    page.rows.map((row) => row.documents),
    [null],
  );
});

test('a preflight is answered without a key, for any path and origin, and says what may be sent', async () => {
  for (const path of ['/api/v1/tournaments', '/nowhere']) {
    const answer = await fetch(`${server.apiUrl}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://club.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, if-none-match',
      },
    });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, HEAD');
    assert.equal(answer.headers.get('access-control-allow-headers'), 'Authorization, If-None-Match');
    assert.match(answer.headers.get('access-control-max-age') ?? '', /^\d+$/);
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(await answer.text(), '');
  }
});

test('an OPTIONS that is no preflight needs a key like everything else', async () => {
  const url = `${server.apiUrl}/api/v1/tournaments`;
  assert.equal((await fetch(url, { method: 'OPTIONS' })).status, 401);
  assert.equal(
    (await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://a.example' } })).status,
    401,
  );
  assert.equal((await fetch(url, { method: 'OPTIONS', headers: bearer(key) })).status, 405);
});

test('pages of other origins read refusals, too, and the headers they need', async () => {
  for (const headers of [{}, bearer(key)]) {
    const answer = await fetch(`${server.apiUrl}/api/v1/nowhere`, {
      headers: { ...headers, origin: 'https://a.example' },
    });
    await answer.text();
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(
      answer.headers.get('access-control-expose-headers'),
      'ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
    );
  }
});
