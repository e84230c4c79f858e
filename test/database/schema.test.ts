import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { schemaText } from '../../harness/support/schema-text.ts';
import { createPool } from '../../src/database/pool.ts';
import { missingObjects } from '../../src/database/schema.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { databaseUrl, onServer } from '../../harness/support/on-server.ts';

const migrated = await createTestDatabase();
const committed = await readFile(new URL('../../migrations/schema.sql', import.meta.url), 'utf8');

const name = `wartable_test_schema_${randomBytes(6).toString('hex')}`;
const loaded = databaseUrl(migrated.url, name);
await onServer(migrated.url, `create database ${name} template template0`);
atEnd(() => onServer(migrated.url, `drop database if exists ${name} with (force)`));

test('migrations/schema.sql is what the migrations make', async () => {
  assert.equal(
    await schemaText(migrated.url),
    committed,
    'migrations/schema.sql is out of date: run `npm run generate` and commit the result',
  );
});

test('migrations/schema.sql makes the same schema in an empty database', async () => {
  await onServer(loaded, committed);
  assert.equal(await schemaText(loaded), committed);
});

test('rights of every kind are written', async () => {
  const rights = [
    'revoke usage on type record.role from public;',
    'grant usage on type record.role to wartable_publish;',
    'grant select (active), select (id), update (active) on keys.account to wartable_serve;',
    'grant usage on sequence record.mark_id_seq to wartable_publish;',
    'grant select on keys.key to wartable_publish with grant option;',
    'grant execute on function published.next_revision(bigint) to wartable_serve;',
  ];
  for (const statement of rights) await onServer(loaded, statement);
  const before = new Set(committed.split('\n'));
  const added = (await schemaText(loaded)).split('\n').filter((line) => !before.has(line));
  assert.deepEqual(new Set(added), new Set(rights));
});

for (const [object, make, undo] of [
  ['view published.v', 'create view published.v as select 1', 'drop view published.v'],
  ['type keys.d', 'create domain keys.d as text', 'drop domain keys.d'],
  ['table public.t', 'create table public.t ()', 'drop table public.t'],
  ['sequence keys.s', 'create sequence keys.s', 'drop sequence keys.s'],
  [
    'table keys.key',
    'alter table keys.key enable row level security',
    'alter table keys.key disable row level security',
  ],
  [
    'column name of table keys.account',
    'alter table keys.account alter name set storage external',
    'alter table keys.account alter name set storage extended',
  ],
  ['schema keys', `comment on schema keys is 'API keys'`, 'comment on schema keys is null'],
  [
    'default privileges',
    'alter default privileges in schema keys grant select on tables to public',
    'alter default privileges in schema keys revoke select on tables from public',
  ],
] as const) {
  test(`${object}, which it cannot write, is an error: ${make}`, async () => {
    await onServer(migrated.url, make);
    await assert.rejects(schemaText(migrated.url), new RegExp(`does not write these .*: ${object}`));
    await onServer(migrated.url, undo);
    await schemaText(migrated.url);
  });
}

test('a missing table, column or function of any name is missed', async () => {
  const { rows } = await migrated.pool.query<{ kind: string; names: string[] }>(`
    with ours as (select oid, nspname from pg_namespace where nspname in ('audit', 'keys', 'published', 'record')),
    tables as (select c.oid, nspname || '.' || relname as name from pg_class c join ours on ours.oid = relnamespace
      where relkind = 'r' and c.oid <> 'record.migration'::regclass)
    select 'column' as kind, array_agg(name || '.' || attname) as names
      from pg_attribute join tables on tables.oid = attrelid where attnum > 0
    union all select 'function', array_agg(nspname || '.' || proname) from pg_proc join ours on ours.oid = pronamespace
    union all select 'table', array_agg(name) from tables order by kind`);
  const [columns = [], functions = [], tables = []] = rows.map(({ kind, names }) =>
    names.map((each) => `${kind} ${each}`),
  );
  assert.ok(columns.length > 100 && functions.length > 5 && tables.length > 20);
  const missing = async () => {
    const pool = createPool(loaded, { applicationName: 'wartable-test', size: 1 });
    return (await missingObjects(pool).finally(() => pool.end())).toSorted();
  };
  assert.deepEqual(await missing(), []);
  await onServer(
    loaded,
    `do $$
    declare each record;
    begin
      for each in select attrelid::regclass as name, attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relkind = 'r' and attnum > 0 and relnamespace::regnamespace::text in ('audit', 'keys', 'published', 'record')
      loop execute format('alter table %s rename %I to %I', each.name, each.attname, 'no_' || each.attname); end loop;
    end $$`,
  );
  assert.deepEqual(await missing(), columns.toSorted());
  await onServer(loaded, 'drop schema audit, keys, published, record cascade');
  assert.deepEqual(await missing(), [...functions, ...tables].toSorted());
});
