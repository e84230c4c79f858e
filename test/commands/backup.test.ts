import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { restoredCopy } from '../../harness/support/restored-copy.ts';
import { unprivileged } from '../../harness/support/unprivileged.ts';

// Uses stand-ins for PostgreSQL's programs, which write down how they were called. `npm run prove restore`
// runs the real ones.

const database = await createTestDatabase();
await createKeyForAccount(database.pool, 'Bot');
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-backup-'));
atEnd(() => rm(folder, { recursive: true }));
const bin = path.join(folder, 'bin');
const backups = path.join(folder, 'backups');
await mkdir(bin);
for (const program of ['pg_dump', 'pg_dumpall', 'pg_restore']) {
  const file = path.join(bin, program);
  await writeFile(
    file,
    `#!/bin/sh
if [ "$1" = --version ]; then echo "${program} (PostgreSQL) $MAJOR.4"; exit; fi
if [ "$BROKEN" = ${program} ]; then echo "${program}: no room" >&2; exit 1; fi
for each in "$@"; do case $each in --file=/dev/null) ;; --file=*) echo "$PGPASSWORD: $*" > "\${each#--file=}" ;; esac; done
`,
  );
  await chmod(file, 0o755);
}

const environment = { DATABASE_URL: database.url, PATH: `${bin}:${process.env['PATH']}`, MAJOR: '99' };
const backup = (more: Record<string, string> = {}, ...options: string[]) =>
  wartable(['backup', ...options, backups], { ...environment, ...more });

const newest = async () => (await readdir(backups)).toSorted().at(-1) ?? '';
const notedAt = async () =>
  (await database.pool.query<{ at: Date }>(`select done_at as at from published.task where name = 'backup'`))
    .rows[0]?.at;

test('a backup has a dump, the logins and the audit, only for their owner, and no password as an argument', async () => {
  const admin = new URL('/postgres', database.url);
  admin.password = 's#cret';
  const { code, stdout, stderr } = await backup({ ADMIN_URL: admin.href });
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^wartable-\d{8}T\d{9}Z: 0\.0 MB, and the dump can be read; 0 older backups removed\.\n$/,
  );
  const made = path.join(backups, await newest());
  assert.deepEqual((await readdir(made)).toSorted(), [
    'audit.json',
    'origin.json',
    'roles.sql',
    'wartable.dump',
  ]);
  assert.equal((await stat(made)).mode & 0o777, 0o700);
  const roles = await readFile(path.join(made, 'roles.sql'), 'utf8');
  assert.match(roles, /^s#cret: --roles-only .*--database=postgres --dbname=postgres:\/\/[^:@]+@/);
  assert.doesNotMatch(roles, /--no-role-passwords/);
  const { entries } = JSON.parse(await readFile(path.join(made, 'audit.json'), 'utf8')) as {
    entries: { action: string }[];
  };
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['key created'],
  );
  assert.ok((await notedAt()) !== undefined);
});

test('without a superuser, the logins are saved without passwords', async () => {
  const { code, stderr } = await backup();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /ADMIN_URL is not set/);
  assert.match(
    await readFile(path.join(backups, await newest(), 'roles.sql'), 'utf8'),
    /--no-role-passwords/,
  );
});

test('only the newest are kept, and nothing that another program made is removed', async () => {
  const last = await newest();
  for (const name of ['wartable-20200101T030000000Z', 'wartable-20200102T030000000Z.part', 'wartable-notes'])
    await mkdir(path.join(backups, name));
  const { stdout, stderr } = await backup({}, '--keep', '1');
  assert.match(stdout, /; 3 older backups removed\.\n$/, stderr);
  const left = await readdir(backups);
  assert.equal(left.length, 2);
  assert.ok(left.includes('wartable-notes'));
  assert.ok(!left.includes(last));
});

test('a backup from the future removes neither itself nor the new one, and is named', async () => {
  const future = 'wartable-20990101T030000000Z';
  await mkdir(path.join(backups, future));
  const { code, stdout, stderr } = await backup({}, '--keep', '1');
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`backups with a later time, which were kept: ${future}\\. The clock`));
  const left = await readdir(backups);
  const [made = ''] = stdout.split(':');
  assert.deepEqual(
    left.filter((name) => name.endsWith('Z')).toSorted(),
    [made, future].toSorted(),
    'only the own backup and the one of the future are left',
  );
  await rm(path.join(backups, future), { recursive: true });
});

test('a backup is good even if an older one cannot be removed, which is reported', async () => {
  const stuck = 'wartable-20200101T030000000Z';
  await mkdir(path.join(backups, stuck));
  await mkdir(path.join(backups, 'wartable-20200102T030000000Z'));
  await writeFile(path.join(backups, stuck, 'wartable.dump'), '');
  await chmod(path.join(backups, stuck), 0o500);
  const before = await notedAt();
  const { code, stdout, stderr } = await unprivileged(['backup', '--keep', '1', backups], environment);
  assert.equal(code, 2);
  assert.match(stdout, /the dump can be read; [1-9] older backups? removed\.\n$/);
  assert.match(stderr, new RegExp(`new backup is good, but these .*: ${stuck}\\. Do they`));
  assert.notDeepEqual(await notedAt(), before, 'the backup is good, so no alert fires');
  assert.equal((await readdir(backups)).filter((name) => name.endsWith('Z')).length, 2);
  await chmod(path.join(backups, stuck), 0o700);
  await rm(path.join(backups, stuck), { recursive: true });
});

test('a folder belongs to one database, and one that is a copy of another needs its own', async () => {
  const before = await readdir(backups);
  const copy = await restoredCopy(database.url);
  const { code, stderr } = await backup({ DATABASE_URL: copy.url }, '--keep', '1');
  assert.equal(code, 2);
  assert.match(
    stderr,
    /has backups of another database, for example wartable-\S+Z of \w+: give each database/,
  );
  assert.deepEqual(await readdir(backups), before);
});

test('a backup that fails, or that cannot be read, is no backup, and the last good one stays', async () => {
  const before = { left: await readdir(backups), at: await notedAt() };
  for (const program of ['pg_dump', 'pg_dumpall', 'pg_restore']) {
    const { code, stderr } = await backup({ BROKEN: program }, '--keep', '1');
    assert.equal(code, 2);
    assert.ok(stderr.includes(`${program} failed, so no backup was made: ${program}: no room`), stderr);
    // Half a dump would fill the disk.
    assert.deepEqual(await readdir(backups), before.left);
  }
  assert.deepEqual(await notedAt(), before.at);
});

test('programs that are older than the server, or missing, are refused by name', async () => {
  const old = await backup({ MAJOR: '9' });
  assert.equal(old.code, 2);
  assert.match(
    old.stderr,
    /pg_dump is from PostgreSQL 9, but the server is from PostgreSQL \d+: install the package postgresql-client-\d+/,
  );
  const none = await backup({ PATH: folder });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /The program pg_dump was not found/);
});
