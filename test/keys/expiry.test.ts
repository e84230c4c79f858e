import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyForAccount, rotateKey } from '../../src/keys/store.ts';
import { slowClock } from '../../harness/support/clock.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { addClub, club, insertRows, noRows } from '../../harness/support/published-world.ts';
import { bearer, createEndingKeys, eventually, get, startTestServer } from '../../harness/support/server.ts';

// test/serve/outage.test.ts shows the same with the database stopped.

const database = await createTestDatabase();
const rows = noRows();
addClub(rows, club({ slug: 'north-gate' }));
await insertRows(database.pool, rows);
const login = await database.loginAs('wartable_serve');
const servers = await Promise.all([1, 2, 3].map(() => startTestServer(login)));
/** The key is in memory after the first request, so that most answers come from the cache. */
const path = '/api/v1/clubs/north-gate';
const statuses = (key: string) => Promise.all(servers.map((server) => statusOf(server, key)));
const statusOf = async (server: (typeof servers)[number], key: string): Promise<number> =>
  (await get(`${server.apiUrl}${path}`, bearer(key))).status;

test('an expired key gets the answer of an unknown one', async () => {
  const { id, key } = await createKeyForAccount(database.pool, 'late');
  await database.pool.query('update keys.key set expires_at = now() where id = $1', [id]);
  for (const server of servers) {
    const { status, json } = await server.get(path, bearer(key));
    assert.equal(status, 401);
    assert.deepEqual(json, { error: { status: 401, message: 'Invalid API key', code: 'UNAUTHORIZED' } });
  }
});

test('a rotated key ends after its overlap on every instance that knows it, and the next one works', async () => {
  const { id, key } = await createKeyForAccount(database.pool, 'turn');
  for (const server of servers) assert.equal(await statusOf(server, key), 200);
  const rotated = await rotateKey(database.pool, id, { overlapMs: 500 });
  assert.ok('next' in rotated);
  for (const server of servers) assert.equal(await statusOf(server, rotated.next.key), 200);
  await eventually(async () => {
    for (const server of servers) assert.equal(await statusOf(server, key), 401);
  });
  assert.ok(Date.now() >= rotated.oldExpiresAt.getTime() - 50);
  for (const server of servers) assert.equal(await statusOf(server, rotated.next.key), 200);
});

// This must be the last test, because afterwards the clock goes back.
test('100 keys that expire in the same second are refused by three instances then, and none before', async (t) => {
  // By this clock they become no older than ten seconds, so no instance asks the database again.
  const skip = slowClock(t);
  const keys: string[] = [];
  let surelyLeftMs = Infinity;
  while (keys.length < 100) {
    const some = await createEndingKeys(database.pool, 10, 9_000);
    for (const { key, expiresAt } of some) {
      assert.deepEqual(await statuses(key), [200, 200, 200]);
      surelyLeftMs = Math.min(surelyLeftMs, expiresAt - Date.now());
      keys.push(key);
    }
  }
  skip(surelyLeftMs - 100);
  for (const key of keys) assert.deepEqual(await statuses(key), [200, 200, 200]);
  skip(9_200 - (surelyLeftMs - 100));
  for (const key of keys) assert.deepEqual(await statuses(key), [401, 401, 401]);
});
