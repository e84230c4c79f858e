import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { keyDigest } from '../../src/keys/key.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { createTestKey } from '../../harness/support/server.ts';

// PostgreSQL decides what each login may do, rather than our good behaviour, so even a query that we forgot
// to think about is refused.

const database = await createTestDatabase();
const serving = new pg.Client({ connectionString: await database.loginAs('wartable_serve') });
const publishing = new pg.Client({ connectionString: await database.loginAs('wartable_publish') });
for (const client of [serving, publishing]) {
  await client.connect();
  atEnd(() => client.end());
}

const refusedToServing = {
  'reading facts': 'select * from record.club',
  'reading marks': 'select * from record.mark',
  'writing documents': "insert into published.club values ('a', 1, '{}', 'a')",
  'changing documents': "update published.club set document = '{}'",
  'deleting documents': 'delete from published.club',
  'emptying documents': 'truncate published.club',
  'reading key digests wholesale': 'select digest from keys.key',
  'reading accounts': 'select * from keys.account',
  'making a key': "insert into keys.key (account_id, digest) values (1, '')",
  'moving revisions': 'select published.next_revision(1)',
  'giving places to changes': 'select published.number_changes()',
  'writing changes': 'update published.change set sequence = 1',
  'starting an epoch of changes': "update published.change_list set epoch = 'mine'",
  'a temporary table': 'create temporary table t (a int)',
  'a table of its own': 'create table public.t (a int)',
  'a schema of its own': 'create schema mine',
  'reading the migrations': 'select * from record.migration',
};

const refusedToBoth = {
  'reading audit entries': 'select * from audit.entry',
  'changing the identity of the installation': 'update audit.installation set id = gen_random_uuid()',
  'adding an audit entry past the function':
    "insert into audit.entry (action, kind, thing) values ('key revoked', 'key', '1')",
  'changing an audit entry': "update audit.entry set thing = '2'",
  'deleting an audit entry': 'delete from audit.entry',
  'emptying the audit': 'truncate audit.entry',
  'replacing the function of the audit':
    "create or replace function audit.note(action text, kind text, thing text) returns void language sql as ''",
};

for (const [what, statement] of Object.entries({ ...refusedToServing, ...refusedToBoth })) {
  test(`the serving login is refused ${what}`, async () => {
    await assert.rejects(serving.query(statement), { code: '42501' });
  });
}

for (const [what, statement] of Object.entries(refusedToBoth)) {
  test(`the publishing login is refused ${what}`, async () => {
    await assert.rejects(publishing.query(statement), { code: '42501' });
  });
}

test('each login adds audit entries, under its own name and at the present time, whatever role it takes on', async () => {
  for (const [client, role] of [
    [serving, 'wartable_serve'],
    [publishing, 'wartable_publish'],
  ] as const) {
    await client.query(`set role ${role}`);
    await client.query("select audit.note('tournament hidden', 'tournament', 'cup')");
    await client.query('reset role');
  }
  const { rows } = await database.pool.query(
    "select login, now() - at < interval '1 minute' as now from audit.entry order by id",
  );
  assert.deepEqual(rows, [
    { login: serving.user, now: true },
    { login: publishing.user, now: true },
  ]);
});

test('an audit entry names a thing by id or slug: the text of a name, a key or a line break is refused', async () => {
  for (const thing of ['Jürgen', 'Ann Lee', '', `a\nb`, 'x'.repeat(201), null]) {
    await assert.rejects(publishing.query("select audit.note('player erased', 'player', $1)", [thing]), {
      code: thing === null ? '23502' : '23514',
    });
  }
});

test('the serving login reads documents and verifies a key by its digest', async () => {
  const { id, key } = await createTestKey(database);
  await serving.query('select * from published.club');
  const { rows } = await serving.query('select * from keys.check_key($1)', [keyDigest(key)]);
  const { account_id: account, ...checked } = rows[0];
  assert.match(account, /^[0-9]+$/);
  assert.deepEqual(checked, { key_id: id, active: true, expires_in_ms: null, requests_per_minute: null });
  await serving.query('select keys.note_use($1, $2)', [[id], [new Date()]]);
});

test('the serving login learns numbers about marks, and nothing else of them', async () => {
  await database.pool.query(`insert into record.mark (kind, key, marked_at, reason, rebuild) values
    ('club', 'a', now() - interval '90 s', null, false), ('club', 'b', now() - interval '1 h', 'no', false),
    ('club', 'b', now(), 'no', false), ('tournament', 'c', now() - interval '2 h', null, true)`);
  const { rows, fields } = await serving.query('select * from published.backlog()');
  await database.pool.query('truncate record.mark');
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['lag_seconds', 'marks', 'stuck_things'],
  );
  assert.deepEqual(
    [Math.round(rows[0].lag_seconds / 10), rows[0].marks, rows[0].stuck_things],
    [9, '4', '1'],
  );
  const { rows: empty } = await serving.query('select * from published.backlog()');
  assert.deepEqual(empty, [{ lag_seconds: 0, marks: '0', stuck_things: '0' }]);
});

test('the serving login learns how sources are doing, and not what was refused', async () => {
  await database.pool.query(
    "update record.source set last_sent_at = now(), refused = 1, is_refusing = true, last_refusal = 'line 7'",
  );
  const { rows, fields } = await serving.query('select * from published.sources()');
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['name', 'last_sent_at', 'accepted', 'refused', 'is_refusing', 'expected_seconds'],
  );
  assert.deepEqual([rows[0].name, rows[0].refused, rows[0].is_refusing], ['main', '1', true]);
});

/** Returns the rights of a role on tables or any of their columns, on functions and on schemas. */
async function rightsOf(role: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ has: string }>(
    `with own as (select oid, nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)')
    select nspname || '.' || relname || ' ' || privilege as has
    from pg_class c join own on own.oid = relnamespace
    cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
    where relkind in ('r', 'p', 'v', 'm') and case
      when privilege in ('DELETE', 'TRUNCATE', 'TRIGGER') then has_table_privilege($1, c.oid, privilege)
      else has_any_column_privilege($1, c.oid, privilege) end
    union all select nspname || '.' || proname from pg_proc p join own on own.oid = pronamespace
    where has_function_privilege($1, p.oid, 'EXECUTE')
    union all select 'schema ' || nspname || ' ' || privilege
    from own cross join unnest(array['USAGE', 'CREATE']) privilege where has_schema_privilege($1, oid, privilege)
    order by 1`,
    [role],
  );
  return rows.map(({ has }) => has);
}

test('over all schemas, tables, columns and functions, the serving role has exactly these rights', async () => {
  const { rows: tables } = await database.pool.query(
    "select 'published.' || tablename || ' SELECT' as has from pg_tables where schemaname = 'published'",
  );
  const expected = [
    ...tables.map((row) => row.has),
    'schema audit USAGE',
    'schema keys USAGE',
    'schema public USAGE',
    'schema published USAGE',
    'audit.note',
    'keys.check_key',
    'keys.note_use',
    'published.backlog',
    'published.moved_to',
    'published.note_files',
    'published.sources',
  ];
  assert.deepEqual(new Set(await rightsOf('wartable_serve')), new Set(expected));
});

test('the login for keys may call four functions of keys, and has no other right', async () => {
  const functions = ['create_key', 'list_keys', 'revoke_key', 'rotate_key'].map((name) => `keys.${name}`);
  assert.deepEqual(await rightsOf('wartable_keys'), [
    ...functions,
    'schema keys USAGE',
    'schema public USAGE',
  ]);
  const portal = new pg.Client({ connectionString: await database.loginAs('wartable_keys') });
  await portal.connect();
  atEnd(() => portal.end());
  const digest = keyDigest('portal');
  const { rows: made } = await portal.query('select * from keys.create_key($1, $2, null, null)', [
    'Portal',
    digest,
  ]);
  assert.equal(made[0].account_name, 'Portal');
  for (const statement of Object.values({ ...refusedToServing, ...refusedToBoth }))
    await assert.rejects(portal.query(statement), { code: '42501' }, statement);
  for (const statement of [
    'select * from published.club',
    "select audit.note('key revoked', 'key', '1')",
    "select * from keys.check_key('')",
    "update keys.account set active = false where name = 'Portal'",
  ])
    await assert.rejects(portal.query(statement), { code: '42501' }, statement);
  const { rows: noted } = await database.pool.query(
    'select login, action, thing from audit.entry order by id desc limit 1',
  );
  assert.deepEqual(noted, [{ login: portal.user, action: 'key created', thing: made[0].id }]);
});

test('the publishing login records and publishes, and does not reach keys', async () => {
  await publishing.query(
    "insert into record.club (slug, name, description, members, source) values ('a', 'A', '', 0, 'main')",
  );
  await publishing.query("insert into published.club values ('a', published.next_revision(null), '{}', 'a')");
  assert.deepEqual((await publishing.query('select published.number_changes()')).rows, [
    { number_changes: 1 },
  ]);
  await publishing.query('create temporary table t (a int)');
  await assert.rejects(publishing.query('select * from keys.key'), { code: '42501' });
  await assert.rejects(publishing.query("select * from keys.check_key('')"), { code: '42501' });
  await assert.rejects(publishing.query("select * from keys.check_key('')"), { code: '42501' });
});

test('neither group role can log in, nor is it a superuser', async () => {
  const { rows } = await database.pool.query(
    "select rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname in ('wartable_serve', 'wartable_publish')",
  );
  assert.equal(rows.length, 2);
  for (const row of rows) assert.deepEqual(new Set(Object.values(row)), new Set([false]));
});
