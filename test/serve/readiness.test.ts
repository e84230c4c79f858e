import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createDatabases } from '../../src/database/databases.ts';
import type { Statement } from '../../src/read/reader.ts';
import { createReadiness } from '../../src/serve/readiness.ts';
import { apiStatements, siteStatements } from '../../src/serve/statements.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { bearer, createTestKey, eventually, get, startTestServer } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const url = await database.loginAs('wartable_serve');
const statements = [...apiStatements, ...siteStatements];
const kind = { applicationName: 'wartable-test', size: 2, connectTimeoutMs: 10_000, queryTimeoutMs: 10_000 };
const databases = createDatabases({
  primaryUrl: url,
  replicaUrls: [],
  kinds: { documents: kind, keys: kind },
  onChange: () => {},
});
atEnd(() => databases.close());
/** Makes every call look again, however long that takes. */
const eager = { statements, everyMs: 0, longestWaitMs: 30_000 };
const whyNotReady = createReadiness({ ...databases.of, ...eager });

test('the list has every statement of the server', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const found: string[] = [];
  for (const file of globSync('src/{read,site,site/*}/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  })) {
    const exported = Object.values(
      (await import(path.join(root, file))) as Record<string, Partial<Statement>>,
    );
    found.push(
      ...exported.flatMap(({ name, text }) => (text === undefined || name === undefined ? [] : name)),
    );
  }
  assert.deepEqual(found.toSorted(), [...new Set(statements.map(({ name }) => name))].toSorted());
});

/**
 * Tables that no document needs: how documents were derived, what months are computed from, and when tasks
 * last ran.
 */
const unread = new Set([
  'published.derivation',
  'published.faction_mark',
  'published.task',
  'published.tournament_factions',
]);

test('a server is not ready without the right to a table that it reads, and ready again with it', async () => {
  assert.equal(await whyNotReady(), undefined);
  const { rows } = await database.pool.query<{ name: string }>(
    "select 'published.' || tablename as name from pg_tables where schemaname = 'published' order by 1",
  );
  assert.ok(rows.length > 10);
  for (const { name } of rows) {
    await database.pool.query(`revoke select on ${name} from wartable_serve`);
    const reason = await whyNotReady();
    await database.pool.query(`grant select on ${name} to wartable_serve`);
    if (unread.has(name)) assert.equal(reason, undefined);
    else assert.match(reason ?? '', /permission denied for table|may not read documents/, name);
    assert.equal(await whyNotReady(), undefined, name);
  }
});

test('a missing table or column is named', async () => {
  for (const [missing, says] of [
    ['published.search rename to gone', 'relation "published.search" does not exist'],
    ['published.battle rename table_number to gone', 'column battle.table_number does not exist'],
  ] as const) {
    await database.pool.query(`alter table ${missing}`);
    const reason = await whyNotReady();
    await database.pool.query(`alter table ${missing.replace(/(\S+) rename (?:(\S+) )?to gone/, undone)}`);
    assert.equal(reason, `the server cannot read all documents (${says}): run \`wartable doctor\``);
    assert.equal(await whyNotReady(), undefined);
  }
});

test('a database that gives no answer in time changes nothing', async () => {
  const [{ pool, ...rest }] = databases.of.documents;
  let isBusy = false;
  const connect = () => (isBusy ? Promise.reject(new Error('timeout exceeded')) : pool.connect());
  const busy = { ...rest, pool: { query: pool.query.bind(pool), connect } as unknown as typeof pool };
  const ask = createReadiness({ documents: [busy], keys: databases.of.keys, ...eager });
  for (const expected of [undefined, /search/]) {
    if (expected) await database.pool.query('alter table published.search rename to gone');
    for (isBusy of [false, true]) {
      const reason = await ask();
      if (expected) assert.match(reason ?? '', expected);
      else assert.equal(reason, undefined);
    }
    isBusy = false;
  }
  await database.pool.query('alter table published.gone rename to search');
});

test('/ready follows a table that goes and comes back, and without pages only what the API reads counts', async () => {
  const [server, pageless] = [
    await startTestServer(url, { readUrls: [] }),
    await startTestServer(url, { readUrls: [], sitePages: false }),
  ];
  const { key } = await createTestKey(database);
  const statuses = async () => {
    const answers = await Promise.all([
      get(`${server.opsUrl}/ready`),
      get(`${pageless.opsUrl}/ready`),
      get(`${server.apiUrl}/api/v1/clubs/none`, bearer(key)),
    ]);
    return answers.map(({ status }) => status);
  };
  const become = (...expected: number[]) =>
    eventually(async () => assert.deepEqual(await statuses(), expected));
  await become(200, 200, 404);
  await database.pool.query('alter table published.faction_placement rename to gone');
  await become(503, 200, 404);
  await database.pool.query('alter table published.club rename to faction_placement');
  await become(503, 503, 503);
  await database.pool.query('alter table published.faction_placement rename to club');
  await database.pool.query('alter table published.gone rename to faction_placement');
  await become(200, 200, 404);
});

function undone(_: string, table: string, column: string | undefined): string {
  if (column !== undefined) return `${table} rename gone to ${column}`;
  const [schema, name] = table.split('.');
  return `${schema}.gone rename to ${name}`;
}
