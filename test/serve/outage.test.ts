import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { noDatabaseAnswers } from '../../src/database/explain.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKey } from '../../src/keys/key.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createLogin, loginUrl, onServer } from '../../harness/support/on-server.ts';
import { startPostgres } from '../../harness/support/postgres.ts';
import { addClub, club as clubDocument, insertRows, noRows } from '../../harness/support/published-world.ts';
import {
  bearer,
  createEndingKeys,
  type EndingKey,
  eventually,
  get,
  startTestServer,
} from '../../harness/support/server.ts';

// A separate PostgreSQL, which is stopped, frozen and started again under a running server.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
// Logins without rights must be able to connect.
await migrate(postgres.url, { connectPrivilege: 'public' });
const { key } = await prepare();
// This server has an empty cache, because these tests are about reads.
const server = await startTestServer(postgres.url, { cacheMegabytes: 0 });
const club = '/api/v1/clubs/north-gate';
let ending: EndingKey[] = [];
// The clock of the server, which never goes back.
let skippedMs = 0;
const monotonic = performance.now.bind(performance);
performance.now = () => monotonic() + skippedMs;

test('before: the club is served and the server is ready', async () => {
  assert.equal((await server.get(club, bearer(key))).status, 200);
  assert.deepEqual((await get(`${server.opsUrl}/ready`)).json, { ready: true });
  ending = await keysThatEnd();
});

test('with the database stopped, what needs no database is answered as ever', async () => {
  await postgres.stop('immediate');
  const badChecksum = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const messages = [
    (await server.get(club)).json,
    (await server.get(club, bearer('sk_something'))).json,
    (await server.get(club, bearer(badChecksum))).json,
  ].map((body) => (body as { error: { message: string } }).error.message);
  assert.deepEqual(messages, [
    'Missing or invalid Authorization header',
    'Invalid API key format',
    'Invalid API key',
  ]);
});

test('with the database stopped, a well-formed unknown key is 503: nobody knows whether it is valid', async () => {
  const { status, headers, json } = await server.get(club, bearer(createKey()));
  assert.equal(status, 503);
  assert.equal(headers.get('retry-after'), '1');
  assert.deepEqual(json, {
    error: { status: 503, message: 'Service temporarily unavailable', code: 'UNAVAILABLE' },
  });
});

test('with the database stopped, a key verified just before is honoured: an unknown path is 404, a club 503', async () => {
  assert.equal((await server.get('/api/v1/nowhere', bearer(key))).status, 404);
  assert.equal((await server.get(club, bearer(key))).status, 503);
  // Not even a slug that cannot exist costs a query.
  assert.equal((await server.get('/api/v1/clubs/NO_SLUG', bearer(key))).status, 404);
});

test('with the database stopped, 100 known keys end in the second of their end: refused then, and not before', async () => {
  const statuses = async () => {
    const answers = ending.map((each) => get(`${server.apiUrl}/api/v1/nowhere`, bearer(each.key)));
    return [...new Set((await Promise.all(answers)).map(({ status }) => status))];
  };
  skippedMs = (ending[0]?.expiresAt ?? 0) - Date.now() - 10_000;
  assert.ok(skippedMs > 0);
  assert.deepEqual(await statuses(), [404]);
  skippedMs += 12_000;
  assert.deepEqual(await statuses(), [401]);
});

test('with the database stopped, liveness stays true and readiness turns false with its reason', async () => {
  assert.deepEqual((await get(`${server.opsUrl}/live`)).json, { live: true });
  const ready = await get(`${server.opsUrl}/ready`);
  assert.equal(ready.status, 503);
  assert.deepEqual(ready.json, { ready: false, reason: noDatabaseAnswers });
});

test('when the database is back, everything comes back by itself', async () => {
  await postgres.start();
  await eventually(async () => {
    assert.equal((await server.get(club, bearer(key))).status, 200);
    assert.equal((await server.get(club, bearer(createKey()))).status, 401);
    assert.equal((await get(`${server.opsUrl}/ready`)).status, 200);
    assert.match(await (await fetch(`${server.opsUrl}/metrics`)).text(), /^wartable_listening 1$/m);
  });
});

test('with PostgreSQL frozen, a crowd gets 503s, and recovers after the thaw', async () => {
  const crowdOf = () =>
    Promise.all(Array.from({ length: 300 }, () => get(`${server.apiUrl}${club}`, bearer(key))));
  await crowdOf();
  const frozen = [postgres.pid(), ...(await backends())];
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  try {
    const memory: number[] = [];
    for (let crowd = 0; crowd < 3; crowd += 1) {
      for (const answer of await crowdOf()) {
        assert.equal(answer.status, 503);
        assert.equal(answer.headers.get('retry-after'), '1');
      }
      collectGarbage();
      memory.push(process.memoryUsage().heapUsed / 1e6);
    }
    const [first = 0, , last = 0] = memory;
    assert.ok(last - first < 20, `memory grew from ${first} to ${last} MB`);
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => assert.equal((await server.get(club, bearer(key))).status, 200));
  // An error in the log means a bug, and a database that is down is not one.
  assert.doesNotMatch(server.log(), /"level":"error"/);
});

test('a server started while the database is down starts, and is ready when the database is', async () => {
  await postgres.stop('immediate');
  const early = await startTestServer(postgres.url);
  assert.equal((await get(`${early.opsUrl}/ready`)).status, 503);
  await postgres.start();
  await eventually(async () => {
    assert.equal((await get(`${early.opsUrl}/ready`)).status, 200);
    assert.equal((await early.get(club, bearer(key))).status, 200);
  });
});

test('an unmigrated database, or a login without rights, is an outage: 503, and readiness says what to do', async () => {
  const unmigrated = await startTestServer(postgres.url.replace(/postgres$/, 'template1'));
  const { json } = await get(`${unmigrated.opsUrl}/ready`);
  assert.deepEqual(json, { ready: false, reason: 'the database is not migrated: run `wartable migrate`' });
  assert.equal((await unmigrated.get(club, bearer(key))).status, 503);
  await unmigrated.close();

  const ungranted = await startTestServer(await createLogin(postgres.url, 'nobody_special'));
  const answer = await get(`${ungranted.opsUrl}/ready`);
  assert.deepEqual(answer.json, {
    ready: false,
    reason:
      'this login may not read documents: grant it wartable_serve, or run `wartable migrate` if it has it',
  });
  assert.equal((await ungranted.get(club, bearer(key))).status, 503);
});

test('a replica that refuses is replaced by the primary; that is counted, and logged once in a while', async () => {
  const unmigrated = postgres.url.replace(/postgres$/, 'template1');
  // A database of another version, in which a column is missing.
  const other = postgres.url.replace(/postgres$/, 'other');
  await onServer(postgres.url, 'create database other');
  await onServer(other, 'create schema published; create table published.club (slug text)');
  const refused = await startTestServer(postgres.url, {
    cacheMegabytes: 0,
    readUrls: [loginUrl(postgres.url, 'nobody_special'), unmigrated, other],
  });
  const failures = async () =>
    Number(
      /^wartable_replica_failures_total (\d+)$/m.exec(
        await (await fetch(`${refused.opsUrl}/metrics`)).text(),
      )?.[1],
    );
  await eventually(async () => {
    for (let i = 0; i < 10; i += 1) assert.equal((await refused.get(club, bearer(key))).status, 200);
    assert.ok((await failures()) >= 10);
  });
  const told = refused
    .log()
    .split('\n')
    .filter((line) => line.includes('a replica failed'));
  for (const line of told) assert.match(line, /"level":"warn"/);
  const codes = told.map(
    (line) => /"replica":(\d)/.exec(line)?.[1] + `: ` + /"code":"(\w+)"/.exec(line)?.[1],
  );
  assert.deepEqual(codes.toSorted(), ['1: 42501', '2: 42P01', '3: 42703']);
});

test('with the primary gone, any replica that answers is enough: for keys, for documents, and to be ready', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/none';
  const orphan = await startTestServer(nowhere, { readUrls: [nowhere, postgres.url] });
  assert.deepEqual((await get(`${orphan.opsUrl}/ready`)).json, { ready: true });
  for (let i = 0; i < 4; i += 1) assert.equal((await orphan.get(club, bearer(key))).status, 200);

  const alone = await startTestServer(nowhere, { readUrls: [nowhere] });
  const answer = await get(`${alone.opsUrl}/ready`);
  assert.equal(answer.status, 503);
  assert.deepEqual(answer.json, { ready: false, reason: noDatabaseAnswers });
});

test('a server that can read documents but verify no key is not ready', async () => {
  const reader = await createLogin(postgres.url, 'reader');
  await onServer(
    postgres.url,
    'grant usage on schema published to reader; grant select on all tables in schema published to reader',
  );
  const keyless = await startTestServer(reader);
  assert.deepEqual((await get(`${keyless.opsUrl}/ready`)).json, {
    ready: false,
    reason: 'this login may not verify keys: grant it wartable_serve, or run `wartable migrate` if it has it',
  });
});

/** Collects garbage, so that only memory that is really in use is left. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

async function prepare(): Promise<{ key: string }> {
  const pool = createPool(postgres.url, { applicationName: 'test', size: 1 });
  const rows = noRows();
  addClub(rows, clubDocument({ slug: 'north-gate' }));
  await insertRows(pool, rows);
  const made = await createKeyForAccount(pool, 'test');
  await pool.end();
  return made;
}

/**
 * Returns a hundred keys that expire within one second. The server knows them, and honours them for a minute
 * without a database.
 */
async function keysThatEnd(): Promise<EndingKey[]> {
  const pool = createPool(postgres.url, { applicationName: 'test', size: 1 });
  const keys = await createEndingKeys(pool, 100, 45_000);
  await pool.end();
  for (const each of keys)
    assert.equal((await get(`${server.apiUrl}/api/v1/nowhere`, bearer(each.key))).status, 404);
  return keys;
}

/** Returns the process ids of all backends that serve the server's connections. */
async function backends(): Promise<number[]> {
  const pool = createPool(postgres.url, { applicationName: 'test', size: 1 });
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'wartable%'",
  );
  await pool.end();
  return rows.map((row) => row.pid);
}
