import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { onClient } from '../../src/database/on-client.ts';
import { migrate } from '../../src/database/migrate.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { databaseUrl, onServer } from '../../harness/support/on-server.ts';
import { startPostgres } from '../../harness/support/postgres.ts';

// This needs its own cluster: the group roles must not exist yet, because creating them is what collides.
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
  assert.match(first.stdout, /^Migrated: 0001_initial_schema\.\n/);
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

/**
 * Drops the group roles, so that they must be created again, while the named databases still grant them
 * something.
 */
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

const rights = [
  'EXECUTE on function keys.check_key(bytea) to wartable_serve',
  'SELECT on table published.club to wartable_serve',
  'UPDATE on table record.mark to wartable_publish',
  'USAGE on schema audit to wartable_publish',
];

async function revoke(url: string): Promise<void> {
  for (const right of rights) await onServer(url, `revoke ${right.replace(' to ', ' from ')}`);
}

test('large values are compressed with lz4 where the server has it, unless its operator chose otherwise', async (t) => {
  // A PostgreSQL that may have been built without lz4, or the machine's own, which has it on Debian.
  for (const server of new Set([postgres.url, process.env['TEST_DATABASE_URL'] ?? postgres.url])) {
    const name = `wartable_compression_${process.pid}`;
    await onServer(server, `create database ${name}`);
    const url = databaseUrl(server, name);
    const setting = () =>
      onClient(url, async (client) => {
        const { rows } = await client.query<{ setting: string; source: string; has: boolean }>(
          `select setting, source, 'lz4' = any (enumvals) as has from pg_settings
            where name = 'default_toast_compression'`,
        );
        return rows[0];
      });
    try {
      await migrate(url);
      const after = await setting();
      t.diagnostic(`lz4: ${after?.has}`);
      assert.equal(after?.setting, after?.has ? 'lz4' : 'pglz');
      await onServer(server, `alter database ${name} set default_toast_compression = pglz`);
      await migrate(url);
      assert.deepEqual(await setting(), { setting: 'pglz', source: 'database', has: after?.has });
    } finally {
      await onServer(server, `drop database ${name} with (force)`);
    }
  }
});

test('a run grants the rights that are missing, and changes nothing else', async () => {
  await onServer(postgres.url, 'create database revoked template again');
  const url = databaseUrl(postgres.url, 'revoked');
  await migrate(url);
  const catalogue = `select string_agg(name || ' ' || version || ' ' || coalesce(rights::text, ''), e'\\n' order by name) from (
    select 'table ' || oid::regclass::text, xmin::text, relacl from pg_class where relkind = 'r'
    union all select 'function ' || oid::regprocedure::text, xmin::text, proacl from pg_proc
    union all select 'schema ' || nspname, xmin::text, nspacl from pg_namespace
  ) as object (name, version, rights) where name ~ ' (audit|keys|published|record)'`;
  const before = String(await firstValue(url, catalogue)).split('\n');
  await revoke(url);
  // Servers may do more than they need; reporting that is left to the doctor.
  await onServer(url, 'grant insert on published.club to wartable_serve');
  const granted = await wartable(['migrate'], { DATABASE_URL: url });
  assert.deepEqual(
    [granted.code, granted.stderr, granted.stdout.trim().split('\n').toSorted()],
    [0, '', rights.map((right) => `Granted: ${right}.`)],
  );
  const after = String(await firstValue(url, catalogue)).split('\n');
  assert.deepEqual(
    before.filter((line) => !after.includes(line)).map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['function keys.check_key(bytea)', 'schema audit', 'table published.club', 'table record.mark'],
  );
  const again = await wartable(['migrate'], { DATABASE_URL: url });
  assert.deepEqual(again, { code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  assert.equal(await firstValue(url, catalogue), after.join('\n'));
});

test('four runs at once grant what is missing', async () => {
  const url = databaseUrl(postgres.url, 'revoked');
  await revoke(url);
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  const granted = new Set(runs.flatMap((run) => run.granted));
  assert.deepEqual([...granted].toSorted(), rights);
  assert.deepEqual((await migrate(url)).granted, []);
});

test('a missing table is named, and the database is not called up to date', async () => {
  const url = databaseUrl(postgres.url, 'revoked');
  await revoke(url);
  await onServer(url, 'drop table published.club');
  await onServer(url, 'drop function keys.list_keys');
  await onServer(url, 'alter table record.club drop column city');
  const run = await wartable(['migrate'], { DATABASE_URL: url });
  assert.deepEqual(
    { ...run, stdout: run.stdout.trim().split('\n').length },
    {
      code: 2,
      stdout: rights.length - 1,
      stderr:
        'wartable: The database lacks table published.club, column record.club.city, function keys.list_keys: docs/backups.md says how to restore what is missing.\n',
    },
  );
});

test('after a newer version migrated, it changes nothing', async () => {
  const url = databaseUrl(postgres.url, 'revoked');
  await onServer(url, 'revoke execute on function keys.check_key from wartable_serve');
  await onServer(url, "insert into record.migration (name, run_on) values ('9999_x', now())");
  const { granted, unknown } = await migrate(url);
  assert.deepEqual([granted, unknown], [[], ['9999_x']]);
  // The migration is refused, so it changes nothing else either.
  const may = `select has_database_privilege('public', 'revoked', 'CONNECT')`;
  await onServer(url, 'grant connect on database revoked to public');
  await migrate(url, { connectPrivilege: 'private' });
  assert.equal(await firstValue(url, may), true);
});

test('without a group role it says how to make it, and does not name those that are there', async () => {
  await onServer(postgres.url, 'alter role wartable_publish rename to gone');
  const run = await wartable(['migrate'], { DATABASE_URL: databaseUrl(postgres.url, 'again') });
  await onServer(postgres.url, 'alter role gone rename to wartable_publish');
  assert.deepEqual(run, {
    code: 2,
    stdout: '',
    stderr:
      'wartable: Group roles are missing: as a superuser, run `create role wartable_publish nologin`, ' +
      'then grant them to your logins.\n',
  });
});

test('a new database is private, --public leaves it open, and --private closes a recorded one', async () => {
  for (const name of ['closed', 'open']) await onServer(postgres.url, `create database ${name}`);
  await onServer(postgres.url, 'create role "a stranger" login');
  await onServer(postgres.url, 'create role "a friend" login');
  await onServer(postgres.url, 'create role "our server" login in role wartable_serve');
  await onServer(postgres.url, 'grant connect on database closed to "a friend"');
  const run = (name: string, ...options: string[]) =>
    wartable(['migrate', ...options], { DATABASE_URL: databaseUrl(postgres.url, name) });
  const logins = ['a stranger', 'a friend', 'our server', 'wartable_publish'];
  const mayConnect = async (name: string) => {
    const may = (login: string) =>
      firstValue(postgres.url, `select has_database_privilege('${login}', '${name}', 'CONNECT')`);
    return Promise.all(logins.map(may));
  };

  const created = await run('closed');
  assert.equal(created.code, 0);
  assert.match(
    created.stdout,
    /^Migrated: 0001_.*\nThese logins can no longer connect to this database: a stranger\. .*\n$/,
  );
  assert.deepEqual(await mayConnect('closed'), [false, true, true, true]);

  assert.match((await run('open', '--public')).stdout, /^Migrated: 0001_.*\.\n$/);
  // The database is no longer new, so it stays as its operator left it.
  assert.equal((await run('open')).stdout, 'The database is up to date.\n');
  assert.deepEqual(await mayConnect('open'), [true, true, true, true]);
  const closing = await run('open', '--private');
  assert.match(
    closing.stdout,
    /^The database is up to date\.\nThese logins can no longer connect to this database: a friend, a stranger\. /,
  );
  assert.deepEqual(await mayConnect('open'), [false, false, true, true]);
  assert.match((await run('open', '--private')).stdout, /No login has lost the right to connect/);
  const both = await run('open', '--private', '--public');
  assert.equal(both.code, 2);
  assert.match(both.stderr, /cannot be used with/);
});

test('a migration that waits for a lock lets reads pass, names the session that holds it, and goes on', async () => {
  await onServer(postgres.url, 'create database locked template again');
  const url = databaseUrl(postgres.url, 'locked');
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-migrations-'));
  atEnd(() => rm(folder, { recursive: true }));
  await cp(new URL('../../migrations', import.meta.url), folder, { recursive: true });
  await writeFile(path.join(folder, '9999_later.sql'), 'alter table keys.account add column later text;\n');
  const holder = new pg.Client({ connectionString: url, application_name: 'long report' });
  await holder.connect();
  await holder.query('begin');
  await holder.query(`do $$
    declare each regclass;
    begin
      for each in select oid from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('keys', 'published', 'record')
      loop execute format('lock %s in access share mode', each); end loop;
    end $$`);
  const told: string[] = [];
  const migrating = migrate(url, { folder, tell: (line) => told.push(line) });
  await eventually(() =>
    assert.match(
      told[0] ?? '',
      /^waiting for a lock that session \d+ \(long report, login \w+, idle in transaction\) holds\./,
    ),
  );
  // The session still holds the lock.
  await firstValue(url, 'select count(*) from keys.account');
  await holder.query('commit');
  await holder.end();
  assert.deepEqual((await migrating).ran, ['9999_later']);
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
