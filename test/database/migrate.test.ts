import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { atEnd } from '../support/at-end.ts';
import { wartable } from '../support/command.ts';
import { databaseUrl, onServer } from '../support/on-server.ts';
import { startPostgres } from '../../scripts/postgres.ts';

// On a cluster of its own: the group roles must not exist yet, since making them is what collides.
const postgres = await startPostgres();
atEnd(() => postgres.remove());

test('six processes at once, on three databases of one cluster, all succeed', async () => {
  const urls = ['one', 'two', 'three'].map((name) => databaseUrl(postgres.url, name));
  for (const name of ['one', 'two', 'three']) await onServer(postgres.url, `create database ${name}`);
  const runs = await Promise.all(
    [...urls, ...urls].map((url) => wartable(['migrate'], { DATABASE_URL: url })),
  );
  for (const run of runs) assert.deepEqual({ code: run.code, stderr: run.stderr }, { code: 0, stderr: '' });
  for (const url of urls) {
    const { tables, applied } = await shape(url);
    assert.ok(tables.includes('published.club'));
    assert.deepEqual(applied, [...new Set(applied)], 'no migration ran twice');
  }
});

test('on six databases at once the group roles are made by one and found by the others, five times over', async () => {
  await dropRoles(['one', 'two', 'three']);
  for (let round = 0; round < 5; round += 1) {
    const names = Array.from({ length: 6 }, (_, i) => `round_${round}_${i}`);
    for (const name of names) await onServer(postgres.url, `create database ${name}`);
    await Promise.all(names.map((name) => migrate(databaseUrl(postgres.url, name))));
    for (const name of names) await onServer(postgres.url, `drop database ${name} with (force)`);
    await dropRoles([]);
  }
});

test('a second run changes nothing and says so', async () => {
  await onServer(postgres.url, 'create database again');
  const url = databaseUrl(postgres.url, 'again');
  const first = await wartable(['migrate'], { DATABASE_URL: url });
  assert.match(first.stdout, /^Migrated: 0001_ground/);
  const before = await shape(url);
  const second = await wartable(['migrate'], { DATABASE_URL: url });
  assert.deepEqual(second, { code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  assert.deepEqual(await shape(url), before);
});

test('a migration that fails leaves nothing behind', async () => {
  await onServer(postgres.url, 'create database broken');
  const url = databaseUrl(postgres.url, 'broken');
  await onServer(url, 'create schema keys');
  const run = await wartable(['migrate'], { DATABASE_URL: url });
  assert.equal(run.code, 2);
  assert.match(run.stderr, /schema "keys" already exists/);
  const { tables } = await shape(url);
  assert.deepEqual(
    tables.filter((table) => table !== 'record.migration'),
    [],
  );
});

async function shape(url: string): Promise<{ tables: string[]; applied: string[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('record', 'published', 'keys', 'audit') order by 1",
    );
    const applied = await client.query<{ name: string }>('select name from record.migration order by id');
    return { tables: tables.rows.map((row) => row.name), applied: applied.rows.map((row) => row.name) };
  } finally {
    await client.end();
  }
}

/** Drops the group roles, so that they have to be made again; the named databases still grant them something. */
async function dropRoles(names: string[]): Promise<void> {
  const roles = 'wartable_publish, wartable_serve';
  for (const name of names) await onServer(databaseUrl(postgres.url, name), `drop owned by ${roles}`);
  await onServer(postgres.url, `drop role ${roles}`);
}

test('a clone or a restored dump, which carries no rights on the database itself, is put right by the next run', async () => {
  await onServer(postgres.url, 'create database cloned template again');
  const url = databaseUrl(postgres.url, 'cloned');
  const may = `select has_database_privilege('wartable_serve', 'cloned', 'TEMPORARY') as may`;
  assert.equal(await firstValue(url, may), true);
  await migrate(url);
  assert.equal(await firstValue(url, may), false);
});

async function firstValue(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(query);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}
