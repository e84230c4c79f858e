import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startPostgres } from '../../harness/support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { examine } from '../../src/doctor/examine.ts';
import type { Installation } from '../../src/doctor/finding.ts';
import { stampIfEmpty } from '../../src/publish/mark-all.ts';
import { createKey } from '../../src/keys/key.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createLogin, databaseUrl, onServer } from '../../harness/support/on-server.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';

// This needs its own cluster, because group roles and settings belong to the whole cluster, and because a
// replica is needed.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
await onServer(postgres.url, 'create database wartable');
const url = databaseUrl(postgres.url, 'wartable');
await migrate(url);
const standby = await postgres.startStandby();
const standbyUrl = databaseUrl(standby.url, 'wartable');
const pool = createPool(url, { applicationName: 'wartable-test', size: 5 });
atEnd(() => pool.end());
await stampIfEmpty(pool);
await publishFeed(pool, [
  ...world({ seed: 5, battles: 100, from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') }),
]);
const { key: trialKey } = await createKeyForAccount(pool, 'Club site');
await pool.query(`insert into published.task values ('backup', now())`);
const slug = (await pool.query<{ slug: string }>('select min(slug) as slug from published.tournament'))
  .rows[0]?.slug;
const healthy: Installation = {
  pool,
  readUrls: [standbyUrl],
  trialKey,
  thorough: true,
  now: Date.now,
};

test('a healthy installation has no findings, for a superuser and for an owner who is none', async () => {
  assert.deepEqual(await examine(healthy), []);
  const run = await wartable(['doctor'], { DATABASE_URL: url, READ_URLS: standbyUrl });
  assert.deepEqual(run, { code: 0, stdout: 'Nothing is wrong.\n', stderr: '' });
  // The tables belong to the superuser who migrated.
  const keeper = await createLogin(url, 'keeper', 'in role pg_read_all_data');
  await pool.query('alter database wartable owner to keeper');
  const owned = await wartable(['doctor', '--json'], { DATABASE_URL: keeper });
  await pool.query('alter database wartable owner to postgres; drop role keeper');
  assert.deepEqual(owned, { code: 0, stdout: '[]\n', stderr: '' });
});

interface Planted {
  level: 'fault' | 'note';
  says: RegExp;
  plant?: string;
  undo?: string;
  /** The address at which to run the statements, if not in the database itself. */
  on?: string;
  looked?: Partial<Installation>;
}

const nowhere = 'postgres://postgres@127.0.0.1:1/wartable';
const away = createPool(nowhere, { applicationName: 'wartable-test', size: 1 });
const onStandby = createPool(standbyUrl, {
  applicationName: 'wartable-test',
  size: 1,
});
const unmigrated = createPool(postgres.url, { applicationName: 'wartable-test', size: 1 });
atEnd(() => Promise.all([away.end(), onStandby.end(), unmigrated.end()]));

const earlierVersion =
  /^The documents were made by an earlier version of Wartable: run `wartable publish`\.$/;
const faults: Record<string, Planted> = {
  'no database answers': { level: 'fault', says: /^No database answers: check/, looked: { pool: away } },
  'DATABASE_URL names a standby': { level: 'fault', says: /names a standby/, looked: { pool: onStandby } },
  'a migration is pending': {
    level: 'fault',
    says: /not migrated to this version \(0001_initial_schema\): run `wartable migrate`/,
    looked: { pool: unmigrated },
  },
  'a newer version migrated': {
    level: 'fault',
    says: /newer version of Wartable has migrated the database \(9999_future\)/,
    plant: "insert into record.migration (name, run_on) values ('9999_future', now())",
    undo: "delete from record.migration where name = '9999_future'",
  },
  'the list of migrations is missing': {
    level: 'fault',
    says: /^The database lacks the rows of record\.migration: docs\/backups\.md says how/,
    plant: 'alter table record.migration rename to gone',
    undo: 'alter table record.gone rename to migration',
  },
  'a table is missing': {
    level: 'fault',
    says: /^The database lacks table published\.club: docs\/backups\.md says how/,
    plant: 'alter table published.club rename to gone',
    undo: 'alter table published.gone rename to club',
  },
  'a column and functions are missing': {
    level: 'fault',
    says: /^The database lacks column record\.club\.city, function keys\.list_keys: docs\/backups\.md says how/,
    plant: 'alter table record.club rename city to town; alter function keys.list_keys rename to gone',
    undo: 'alter table record.club rename town to city; alter function keys.gone rename to list_keys',
  },
  'a group role is missing': {
    level: 'fault',
    says: /^The database lacks role wartable_serve: docs\/backups\.md says how/,
    plant: 'alter role wartable_serve rename to gone',
    undo: 'alter role gone rename to wartable_serve',
  },
  'servers may read facts': {
    level: 'fault',
    says: /wartable_serve has more rights .* SELECT on table record.club/,
    plant: 'grant select on record.club to wartable_serve',
    undo: 'revoke select on record.club from wartable_serve',
  },
  'everybody may call a function': {
    level: 'fault',
    says: /wartable_(publish|keys) has more rights .* EXECUTE on function keys.check_key/,
    plant: 'grant usage on schema keys to public; grant execute on function keys.check_key(bytea) to public',
    undo: 'revoke usage on schema keys from public; revoke execute on function keys.check_key(bytea) from public',
  },
  'servers may not read documents': {
    level: 'fault',
    says: /wartable_serve lacks SELECT on table published.club: run `wartable migrate`\.$/,
    plant: 'revoke select on published.club from wartable_serve',
    undo: 'grant select on published.club to wartable_serve',
  },
  'imports may not publish': {
    level: 'fault',
    says: /wartable_publish lacks UPDATE on table record.mark/,
    plant: 'revoke update on record.mark from wartable_publish',
    undo: 'grant update on record.mark to wartable_publish',
  },
  'a group role is powerful': {
    level: 'fault',
    says: /group role wartable_publish may log in or has rights/,
    plant: 'alter role wartable_publish createdb',
    undo: 'alter role wartable_publish nocreatedb',
  },
  'a login has both group roles': {
    level: 'fault',
    says: /members of both group roles.*: one_for_all\./,
    plant: 'create role one_for_all login in role wartable_serve, wartable_publish',
    undo: 'drop role one_for_all',
  },
  'the newest backup is old': {
    level: 'fault',
    says: /^The newest good backup is from \d{4}-.*: look at the log/,
    plant: "update published.task set done_at = now() - interval '27 h'",
    undo: 'update published.task set done_at = now()',
  },
  'the clock was wrong when the newest backup was made': {
    level: 'fault',
    says: /^The newest good backup is from \d{4}-.*: look at the log/,
    plant: "update published.task set done_at = now() + interval '27 h'",
    undo: 'update published.task set done_at = now()',
  },
  'the backup of this night has failed': {
    level: 'fault',
    says: /^The newest good backup is from \d{4}-.*: look at the log/,
    plant: "update published.task set done_at = now() - interval '24 h'",
    undo: 'update published.task set done_at = now()',
    looked: { backupAgeMs: 12 * 3_600_000 },
  },
  'the newest backup is old because the database has been restored': {
    level: 'note',
    says: /^The restored database knows of no backup since \d{4}-.*: make one/,
    plant: "update published.task set done_at = now() - interval '27 h'",
    undo: 'update published.task set done_at = now()',
    looked: {
      savedAudit: { file: 'audit.json', installation: null, since: null, entries: [], isTrusted: true },
    },
  },
  'there was never a backup': {
    level: 'note',
    says: /^`wartable backup` has never made a backup/,
    plant: "update published.task set name = 'files'",
    undo: "update published.task set name = 'backup'",
  },
  'another database shares the group roles': {
    level: 'note',
    says: /Other databases .* same group roles: postgres\./,
    on: postgres.url,
    plant: 'create schema staging; grant usage on schema staging to wartable_serve',
    undo: 'drop schema staging',
  },
  'everybody may connect': {
    level: 'note',
    says: /Every login of the cluster may connect .* no other login\. Run `wartable migrate --private`\./,
    plant: 'grant connect on database wartable to public; create role friend login in role wartable_serve',
    undo: 'revoke connect on database wartable from public; drop role friend',
  },
  'a login that is not ours may connect': {
    level: 'note',
    says: /Every login of the cluster may connect .* These could: stranger\. Run `wartable migrate --private`\./,
    plant: 'grant connect on database wartable to public; create role stranger login',
    undo: 'revoke connect on database wartable from public; drop role stranger',
  },
  'everybody may create large objects': {
    level: 'note',
    says: /may create large objects/,
    plant: 'grant execute on function lo_create(oid) to public',
    undo: 'revoke execute on function lo_create(oid) from public',
  },
  'a replica is away': {
    level: 'fault',
    says: /replica 127.0.0.1:1\/wartable in READ_URLS does not answer/,
    looked: { readUrls: [nowhere] },
  },
  'a replica is none': { level: 'fault', says: /is not a replica/, looked: { readUrls: [url] } },
  'a replica lags': {
    level: 'fault',
    says: /lags behind the primary: \d+ bytes are not replayed/,
    on: standbyUrl,
    plant: 'select pg_wal_replay_pause()',
    undo: 'select pg_wal_replay_resume()',
  },
  'marks are not drained': {
    level: 'fault',
    says: /recorded but not published: 1 mark is left, the oldest since \d{4}-/,
    plant: `insert into record.mark (kind, key, marked_at) values ('tournament', '${slug}', now() - interval '1 h')`,
    undo: 'delete from record.mark',
  },
  'a rebuild was interrupted': {
    level: 'note',
    says: /A rebuild is not finished: 1 mark is left/,
    plant: `insert into record.mark (kind, key, marked_at, rebuild)
      values ('tournament', '${slug}', now() - interval '1 h', true)`,
    undo: 'delete from record.mark',
  },
  'a thing cannot be published': {
    level: 'fault',
    says: /tournament \S+ cannot be published: planted reason/,
    plant: `insert into record.mark (kind, key, reason) values ('tournament', '${slug}', 'planted reason')`,
    undo: 'delete from record.mark',
  },
  'a source is silent': {
    level: 'fault',
    says: /The source main has never sent anything: .* `wartable sources expect main none` that silence is normal/,
    plant: `update record.source set expected_every = '1 h', last_sent_at = null where name = 'main'`,
    undo: `update record.source set expected_every = null, last_sent_at = now() where name = 'main'`,
  },
  'something of a source was refused': {
    level: 'fault',
    says: /Something from the source main was refused, last at line 7: a slug:/,
    plant: `update record.source set is_refusing = true, last_refusal = 'line 7: a slug' where name = 'main'`,
    undo: `update record.source set is_refusing = false where name = 'main'`,
  },
  'changes wait for their places': {
    level: 'fault',
    says: /published but not listed for those who follow them \(1 waiting, the oldest since \d{4}-/,
    plant: `insert into published.change (kind, key, gone, revision, since)
      values ('club', 'planted', true, 1, now() - interval '1 min')`,
    undo: "delete from published.change where key = 'planted'",
  },
  'a document was changed by hand': {
    level: 'fault',
    says: /documents of tournament \S+ differ from a fresh derivation/,
    plant: `update published.tournament set document = document || ' ' where slug = '${slug}'`,
    undo: `update published.tournament set document = left(document, -1) where slug = '${slug}'`,
  },
  'documents of tournaments are of an earlier version': {
    level: 'fault',
    says: earlierVersion,
    plant: `update published.tournament set derivation = derivation - 1, document = document || ' '`,
    undo: 'update published.tournament set derivation = derivation + 1, document = left(document, -1)',
  },
  'documents of battles are of an earlier version': {
    level: 'fault',
    says: earlierVersion,
    plant: 'update published.tournament set battle_derivation = battle_derivation - 1',
    undo: 'update published.tournament set battle_derivation = battle_derivation + 1',
  },
  'other documents are of an earlier version': {
    level: 'fault',
    says: earlierVersion,
    plant: `update published.derivation set version = version - 1; update published.club set document = document || ' '`,
    undo: `update published.derivation set version = version + 1;
      update published.club set document = left(document, -1); select published.number_changes()`,
  },
  'rows of a list are missing': {
    level: 'fault',
    says: /documents of (tournament|battle) \S+ differ from a fresh derivation|\d+ more things differ/,
    plant: 'create table public.kept as table published.club_battle; truncate published.club_battle',
    undo: 'insert into published.club_battle table public.kept; drop table public.kept',
  },
  'a document cannot fit the contract': {
    level: 'fault',
    says: /club \S+ cannot be derived: .* does not fit the contract|\d+ more things differ/,
    plant: `alter table record.club drop constraint club_members_check;
      update record.club set members = -1 - members`,
    undo: `update record.club set members = -1 - members;
      alter table record.club add constraint club_members_check check (members >= 0)`,
  },
  'autovacuum is off': {
    level: 'fault',
    says: /set `autovacuum = on`/,
    plant: 'alter system set autovacuum = off',
    undo: 'alter system reset autovacuum',
  },
  'autovacuum is off for a table': {
    level: 'fault',
    says: /Autovacuum is off for published.player:/,
    plant: 'alter table published.player set (autovacuum_enabled = false)',
    undo: 'alter table published.player reset (autovacuum_enabled)',
  },
  'a key is not used': {
    level: 'note',
    says: /used these keys for a year: 1\./,
    plant: "update keys.key set created_at = now() - interval '13 months'",
    undo: 'update keys.key set created_at = now()',
  },
  'the trial key has expired': {
    level: 'fault',
    says: /^The guides show a key that the API refuses: create another one/,
    plant: "update keys.key set expires_at = now() - interval '1 s'",
    undo: 'update keys.key set expires_at = null',
  },
  'the trial key is revoked': {
    level: 'fault',
    says: /^The guides show a key/,
    plant: 'update keys.key set revoked_at = now()',
    undo: 'update keys.key set revoked_at = null',
  },
  'nobody knows the trial key': {
    level: 'fault',
    says: /^The guides show a key/,
    looked: { trialKey: createKey() },
  },
  'the clocks differ': {
    level: 'fault',
    says: /differ by (29|30|31) s/,
    looked: { now: () => Date.now() - 30_000 },
  },
  'the clock was set back': {
    level: 'fault',
    says: /newest revision is \d+ s ahead/,
    plant: 'update published.list_revision set revision = revision + 900000000',
    undo: 'update published.list_revision set revision = revision - 900000000',
  },
};

for (const [what, { level, says, plant, undo, on = url, looked }] of Object.entries(faults)) {
  test(`it finds that ${what}, and nothing else`, async () => {
    if (plant) await apply(on, plant);
    if (what === 'a replica lags')
      await pool.query("select pg_logical_emit_message(true, 'planted', 'change')");
    const found = await examine({ ...healthy, ...looked }).finally(() => undo && apply(on, undo));
    assert.ok(found.length > 0, 'nothing was found');
    if (says === earlierVersion) assert.equal(found.length, 1);
    for (const finding of found) {
      assert.equal(finding.level, level);
      assert.match(finding.sentence, says);
    }
  });
}

test('documents that are published again at the moment are no fault, nor is a database without any', async () => {
  await apply(
    url,
    `update published.tournament set derivation = derivation - 1;
      insert into record.mark (kind, key, rebuild) select 'tournament', slug, true from published.tournament`,
  );
  const found = await examine(healthy);
  await apply(url, 'delete from record.mark; update published.tournament set derivation = derivation + 1');
  assert.deepEqual(found, []);
  await onServer(postgres.url, 'create database empty');
  const empty = databaseUrl(postgres.url, 'empty');
  await migrate(empty);
  const { stdout } = await wartable(['doctor'], { DATABASE_URL: empty });
  await onServer(postgres.url, 'drop database empty');
  assert.doesNotMatch(stdout, /publish`/);
});

test('a fault exits with 1, a note with 0', async () => {
  await apply(url, 'grant connect on database wartable to public');
  const noted = await wartable(['doctor', '--json'], { DATABASE_URL: url });
  const faulty = await wartable(['doctor'], { DATABASE_URL: url, READ_URLS: url });
  await apply(url, 'revoke connect on database wartable from public');
  assert.deepEqual(
    [noted.code, (JSON.parse(noted.stdout) as { level: string }[]).map(({ level }) => level)],
    [0, ['note']],
  );
  assert.equal(faulty.code, 1);
  assert.match(faulty.stdout, /^note: Every login [^]*\nfault: The replica /);
});

test('after every fault was undone, nothing is wrong', async () => {
  assert.deepEqual(await examine({ ...healthy, thorough: false }), []);
});

test('what docs/backups.md says brings back everything in published, with its functions', async () => {
  const command = (...args: string[]) => wartable(args, { DATABASE_URL: url });
  await onServer(url, 'drop schema published cascade');
  const [found] = await examine(healthy);
  assert.match(
    found?.sentence ?? '',
    /^The database lacks table published\.battle, .*, function published\.backlog/,
  );
  const broken = await command('migrate');
  assert.deepEqual(broken, { code: 2, stdout: '', stderr: `wartable: ${found?.sentence}\n` });

  const schema = await readFile(new URL('../../migrations/schema.sql', import.meta.url), 'utf8');
  const [, part = ''] = /^-- published -+$(.*?)^-- record -/ms.exec(schema) ?? [];
  const withoutRights = part.replaceAll(/^grant .*$/gm, '');
  assert.notEqual(part, withoutRights);
  await onServer(url, withoutRights);
  const granted = await command('migrate');
  assert.equal(granted.code, 0, granted.stderr);
  assert.match(granted.stdout, /^Granted: USAGE on schema published to wartable_serve\.$/m);
  const published = await command('publish', '--all');
  assert.equal(published.code, 0, published.stderr);
  const [note, ...others] = await examine(healthy);
  assert.match(note?.sentence ?? '', /never made a backup/);
  assert.deepEqual(others, []);
});

async function apply(where: string, statements: string): Promise<void> {
  for (const statement of statements.split(';')) await onServer(where, statement);
  if (!statements.startsWith('alter system')) return;
  await onServer(where, 'select pg_reload_conf()');
  await onServer(where, 'select pg_sleep(0.5)');
}
