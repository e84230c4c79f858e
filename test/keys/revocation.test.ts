import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { revokeKey, setAccountActive } from '../../src/keys/store.ts';
import { slowClock } from '../../harness/support/clock.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Two instances are running at once, each with a key that it already knows.
const database = await createTestDatabase();
const login = await database.loginAs('wartable_serve');
const servers = [await startTestServer(login), await startTestServer(login)];

test('a revoked key is refused by every instance that hears of it, and read once more for that', async (t) => {
  await everyInstanceListens();
  slowClock(t);
  const { id, key } = await createTestKey(database);
  await everyInstanceAnswers(404, key);
  const queries = await keyQueries();
  await revokeKey(database.pool, id);
  await eventually(() => everyInstanceAnswers(401, key));
  await everyInstanceAnswers(401, key);
  assert.deepEqual(
    await keyQueries(),
    queries.map((count) => String(Number(count) + 1)),
  );
});

test('a deactivated account loses all its keys, and has them back when it is active again', async (t) => {
  slowClock(t);
  const keys = [await createTestKey(database, 'both'), await createTestKey(database, 'both')];
  for (const { key } of keys) await everyInstanceAnswers(404, key);
  await setAccountActive(database.pool, 'both', false);
  await eventually(async () => {
    for (const { key } of keys) await everyInstanceAnswers(401, key);
  });
  await setAccountActive(database.pool, 'both', true);
  await eventually(async () => {
    for (const { key } of keys) await everyInstanceAnswers(404, key);
  });
});

test('a key whose notice was lost is refused within 10 s', async () => {
  const { id, key } = await createTestKey(database);
  await everyInstanceAnswers(404, key);
  await database.pool.query('update keys.key set revoked_at = now() where id = $1', [id]);
  await everyInstanceAnswers(404, key);
  await sleep(10_050);
  await everyInstanceAnswers(401, key);
});

test('a notice sent while the listener was cut is made up for as soon as it listens again', async (t) => {
  slowClock(t);
  const { id, key } = await createTestKey(database);
  await everyInstanceAnswers(404, key);
  await database.pool.query('update keys.key set revoked_at = now() where id = $1', [id]);
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wartable-listener' and datname = current_database()",
  );
  await eventually(() => everyInstanceAnswers(401, key));
});

test('what is no notice of ours is passed over', async () => {
  const { id, key } = await createTestKey(database);
  for (const payload of [
    '',
    'nonsense',
    'null',
    '[]',
    '{"refuse":"all","id":"1"}',
    '{"refuse":"key","id":1}',
    `{"expire":"key","id":"${id}"}`,
    `{"expire":"key","id":"${id}","inMs":"0"}`,
    `{"expire":"account","id":"${id}","inMs":0}`,
  ]) {
    await database.pool.query('select pg_notify($1, $2)', ['wartable_keys', payload]);
  }
  await sleep(200);
  await everyInstanceAnswers(404, key);
});

test('a login that may read nothing can send notices, and no request is refused for them', async () => {
  const { id, key } = await createTestKey(database);
  await everyInstanceAnswers(404, key);
  for (const notice of [`{"refuse":"key","id":"${id}"}`, `{"expire":"key","id":"${id}","inMs":0}`]) {
    await database.pool.query('select pg_notify($1, $2)', ['wartable_keys', notice]);
    for (let i = 0; i < 20; i += 1) {
      await everyInstanceAnswers(404, key);
      await sleep(5);
    }
  }
});

test('the last use is written in batches, for many requests together', async () => {
  const { id, key } = await createTestKey(database);
  const server = await startTestServer(login);
  const startedAt = Date.now();
  for (let i = 0; i < 20; i += 1) await server.get('/api/v1/clubs/none', bearer(key));
  assert.equal(await lastUse(id), null);
  await server.close();
  const used = await lastUse(id);
  assert.ok(used instanceof Date && used.getTime() >= startedAt);
});

/**
 * Waits until every instance listens. One that has just begun to listen looks up once more what it knew
 * before.
 */
async function everyInstanceListens(): Promise<void> {
  const { id, key } = await createTestKey(database);
  await everyInstanceAnswers(404, key);
  await revokeKey(database.pool, id);
  await eventually(() => everyInstanceAnswers(401, key));
}

async function everyInstanceAnswers(status: number, key: string): Promise<void> {
  for (const server of servers) {
    assert.equal((await server.get('/api/v1/clubs/none', bearer(key))).status, status);
  }
}

async function keyQueries(): Promise<string[]> {
  return Promise.all(
    servers.map(async (server) => {
      const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
      return /^wartable_key_queries_total (\d+)$/m.exec(metrics)?.[1] ?? 'not exposed';
    }),
  );
}

async function lastUse(id: string): Promise<unknown> {
  const { rows } = await database.pool.query('select last_used_at from keys.key where id = $1', [id]);
  return rows[0].last_used_at;
}
