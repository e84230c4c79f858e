import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { schemaText } from '../../scripts/schema-text.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { databaseUrl, onServer } from '../support/on-server.ts';

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
    'grant usage on sequence record.stale_id_seq to wartable_publish;',
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
