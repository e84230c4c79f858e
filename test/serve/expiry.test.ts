import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createKeyForAccount, rotateKey } from '../../src/keys/store.ts';
import { createTestDatabase } from '../support/database.ts';
import { addClub, club, insertRows, noRows } from '../support/published-world.ts';
import { bearer, createEndingKeys, eventually, get, startTestServer } from '../support/server.ts';

// test/serve/outage.test.ts shows the same with the database stopped.

const database = await createTestDatabase();
const rows = noRows();
addClub(rows, club({ slug: 'north-gate' }));
await insertRows(database.pool, rows);
const login = await database.loginAs('wartable_serve');
const servers = await Promise.all([1, 2, 3].map(() => startTestServer(login)));
/** In memory after the first request, so that most answers come from in front of the routes. */
const path = '/api/v1/clubs/north-gate';
const statusOf = async (server: (typeof servers)[number], key: string): Promise<number> =>
  (await get(`${server.apiUrl}${path}`, bearer(key))).status;

test('100 keys that expire in the same second are refused by three instances within 2 s, and none before', async () => {
  const askAll = (key: string) => Promise.all(servers.map((server) => statusOf(server, key)));
  const keys = await createEndingKeys(database.pool, askAll, 200);
  let latest = -Infinity;
  const watched = servers.flatMap((server) =>
    keys.map(async ({ key, expiresAt }) => {
      for (;;) {
        await sleep(Math.max(expiresAt - Date.now() - 100, 50));
        const askedAt = Date.now();
        const status = await statusOf(server, key);
        if (status === 401) {
          assert.ok(Date.now() >= expiresAt - 50, `refused ${expiresAt - Date.now()} ms before its end`);
          return;
        }
        assert.equal(status, 200);
        latest = Math.max(latest, askedAt - expiresAt);
      }
    }),
  );
  await Promise.all(watched);
  assert.ok(latest < 2_000, `accepted ${latest} ms after its end`);
});

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
  await eventually(8_000, async () => {
    for (const server of servers) assert.equal(await statusOf(server, key), 401);
  });
  assert.ok(Date.now() >= rotated.oldExpiresAt.getTime() - 50);
  for (const server of servers) assert.equal(await statusOf(server, rotated.next.key), 200);
});
