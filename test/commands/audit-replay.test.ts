import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { readAuditFile } from '../../src/audit/read-file.ts';
import { replayAudit } from '../../src/commands/replay-audit.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { restoredCopy } from '../../harness/support/restored-copy.ts';

const database = await createTestDatabase();
const cup = (slug: string) => ({
  kind: 'tournament',
  slug,
  name: slug,
  published: true,
  status: 'planned',
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
  participants: [
    { id: 'b', player: 'bea' },
    { id: 'g', name: 'Gwen' },
  ],
});
const bea = { kind: 'player', id: 'bea', name: 'Bea' };
const client = await database.pool.connect();
const casual = (id: string) => ({
  kind: 'battle',
  id,
  battleSize: 1000,
  date: '2026-01-02',
  finished: true,
  winner: 'chidi',
  sides: [{ player: 'chidi' }, { name: 'Pascal' }],
});
const first = await importLines(client, [
  bea,
  { kind: 'player', id: 'chidi', name: 'Chidi' },
  casual('casual-7'),
  cup('cup'),
  cup('open'),
  { kind: 'club', slug: 'home', name: 'Home' },
]);
client.release();
assert.deepEqual(first.refusals, []);
const run = async (url: string, line: string) => {
  const result = await wartable(line.split(' '), { DATABASE_URL: url });
  assert.equal(result.code, 0, `${line}: ${result.stderr}`);
  return result.stdout;
};
const broken = (line: string) => run(database.url, line);
await broken('keys create --account Ann');
await broken('keys create --account Bot');
await broken('tournaments unpublish open');

const { url: restoredUrl, pool: restored } = await restoredCopy(database.url);

// Somebody has been quicker than the replay, so key 3 and account 3 are not the ones that the file refers to.
// The broken database was still in use, so the file has entries from before and after.
await run(restoredUrl, 'keys create --account Carol');

for (const line of [
  'keys revoke 1',
  'keys rotate 2',
  'keys create --account Eve',
  'keys revoke 4',
  'accounts deactivate Ann',
  'accounts set Bot --limit 60',
  'accounts deactivate Eve',
  'tournaments unpublish cup',
  'tournaments publish open',
  'tournaments unpublish open',
  'tournaments publish open',
  'players erase bea --yes',
  'players erase --guest Gwen --tournament cup --yes',
  'players erase --guest Pascal --yes',
  'sources give sheet-cup --tournament cup',
  'sources give sheet-home --club home',
])
  await broken(line);

const folder = await mkdtemp(path.join(tmpdir(), 'wartable-replay-'));
atEnd(() => rm(folder, { recursive: true }));
const file = path.join(folder, 'audit.json');
await writeFile(file, await broken('audit --json'));
const doctor = () => wartable(['doctor', '--audit', file], { DATABASE_URL: restoredUrl });

await run(restoredUrl, 'sources give another --club home');

test('the doctor names what a restored database has forgotten', async () => {
  const { code, stdout } = await doctor();
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^fault: The database has forgotten key revoked 1, .* and \d+ more: run `wartable audit replay/m,
  );
});

test('the replay does again what it can, lists the rest, and leaves alone what is another one now', async () => {
  const said = await run(restoredUrl, `audit replay ${file}`);
  const [, done = '', byHand = '', skipped = ''] =
    /^Repeated:\n([^]*)Do this yourself.*\n([^]*)Skipped.*\n([^]*)$/.exec(said) ?? [];
  const actions = (lines: string) => lines.split('\n').flatMap((line) => line.trim().split(/Z |; /)[1] ?? []);
  assert.deepEqual(actions(done), [
    'key revoked 1',
    'key rotated 2',
    'key revoked 4',
    'account deactivated 1',
    'tournament hidden cup',
    'tournament shown open',
    'tournament hidden open',
    'tournament shown open',
    'player erased bea',
    'guest erased cup/g',
    'guest erased casual-7',
    'thing given sheet-cup/cup',
  ]);
  assert.deepEqual(actions(byHand), ['key created 4', 'account changed 2']);
  assert.deepEqual(actions(skipped), [
    'key created 3',
    'account deactivated 3',
    'thing given sheet-home/home',
  ]);
});

test('afterwards all is as it was, the key of another person works, and no id is used again', async () => {
  const { rows: keys } = await restored.query('select id, state from keys.list_keys()');
  assert.deepEqual(keys, [
    { id: '1', state: 'revoked' },
    { id: '2', state: 'expired' },
    { id: '3', state: 'active' },
  ]);
  const { rows: shown } = await restored.query(
    `select t.slug, t.published, t.source, (select name from record.participant p where p.tournament_id = t.id and p.id = 'g') as guest,
      exists (select from published.tournament where slug = t.slug) as "isPublic" from record.tournament t order by slug`,
  );
  assert.deepEqual(shown, [
    { slug: 'cup', published: false, source: 'sheet-cup', guest: '', isPublic: false },
    { slug: 'open', published: true, source: 'main', guest: 'Gwen', isPublic: true },
  ]);
  const { rows: people } = await restored.query(
    `select name, erased_for_good from record.player where id = 'bea'`,
  );
  assert.deepEqual(people, [{ name: null, erased_for_good: true }]);
  const { rows: casualNames } = await restored.query('select second_name as name from record.battle');
  assert.deepEqual(casualNames, [{ name: '' }]);
  // The entries from the file replace those that the replay itself made.
  const { rows: noted } = await restored.query(
    `select count(*)::int as hidden from audit.entry where action = 'tournament hidden'`,
  );
  assert.deepEqual(noted, [{ hidden: 3 }]);
  await run(restoredUrl, 'keys create --account Dan');
  const { rows: next } = await restored.query(
    `select max(id)::int as key, max(account_id)::int as account from keys.key`,
  );
  assert.deepEqual(next, [{ key: 5, account: 4 }]);
});

test('a second run finds nothing but the differences, and changes nothing', async () => {
  const entries = 'select count(*)::int as entries, max(at) as last from audit.entry';
  const before = (await restored.query(entries)).rows;
  const said = await run(restoredUrl, `audit replay ${file}`);
  assert.match(said, /^Skipped, .*\n(.*; .*\n){3}$/);
  assert.deepEqual((await restored.query(entries)).rows, before);
  const { stdout } = await doctor();
  assert.doesNotMatch(stdout, /forgotten/);
  assert.match(
    stdout,
    /^note: Since the restore, other things happened to .*: key created 3, account deactivated 3/m,
  );
});

test('a hidden tournament and erased people that the backup does not have stay so when a feed sends them', async () => {
  await writeEntries([
    entry('tournament hidden', 'tournament', 'new-cup'),
    entry('player erased', 'player', 'zoe'),
    entry('guest erased', 'guest', 'new-cup/g'),
    entry('guest erased', 'guest', 'casual-8'),
  ]);
  await run(restoredUrl, `audit replay ${file}`);
  const sender = await restored.connect();
  await importLines(sender, [
    { kind: 'player', id: 'zoe', name: 'Zoe' },
    bea,
    cup('new-cup'),
    casual('casual-8'),
  ]);
  sender.release();
  const { rows } = await restored.query(
    `select t.published, p.name as guest, (select name from record.player where id = 'zoe') as player,
        (select second_name from record.battle where id = 'casual-8') as casual
      from record.tournament t join record.participant p on p.tournament_id = t.id and p.id = 'g' where slug = 'new-cup'`,
  );
  assert.deepEqual(rows, [{ published: false, guest: '', player: null, casual: '' }]);
});

test('an audit of another installation is refused, although it erases somebody who is recorded here', async () => {
  const foreign = { installation: '00000000-0000-4000-8000-000000000000', since: null };
  const entries = [entry('key revoked', 'key', '3'), entry('player erased', 'player', 'chidi')];
  await writeFile(file, JSON.stringify({ ...foreign, entries }));
  for (const command of [`audit replay ${file}`, `doctor --audit ${file}`]) {
    const { code, stderr } = await wartable(command.split(' '), { DATABASE_URL: restoredUrl });
    assert.equal(code, 2);
    assert.match(stderr, /saved from another installation: .* --same-installation\.$/m);
  }
  const chidi = async () =>
    (await restored.query(`select name from record.player where id = 'chidi'`)).rows[0]?.name;
  assert.equal(await chidi(), 'Chidi');
  // An operator may know better, for example after importing everything into a new database. The keys there
  // are other ones in any case.
  const trusted = await wartable(['doctor', '--audit', file, '--same-installation'], {
    DATABASE_URL: restoredUrl,
  });
  assert.match(trusted.stdout, /^fault: The database has forgotten player erased chidi: /m);
  const said = await run(restoredUrl, `audit replay --same-installation ${file}`);
  assert.match(said, /^Repeated:\n.* player erased chidi\nSkipped.*\n.* key revoked 3; this key 3 was made /);
  assert.equal(await chidi(), null);
});

test('an empty audit is refused if the database has entries, and so is another file', async () => {
  const audit = JSON.parse(await broken('audit --json')) as object;
  await writeFile(file, JSON.stringify({ ...audit, entries: [] }));
  const { code, stderr } = await wartable(['audit', 'replay', file], { DATABASE_URL: restoredUrl });
  assert.equal(code, 2);
  assert.match(stderr, /has no entries, but the database has some/);
  await run(restoredUrl, `audit replay ${file} --same-installation`);
  const written = [
    entry('Key revoked', 'key', '1'),
    entry('key revoked', 'key', 'one'),
    entry('player erased', 'player', 'Bea Maier'),
  ].map((each) => ({ ...audit, entries: [each] }));
  const others = [{}, [], { ...audit, since: 'yesterday' }, ...written].map((each) => JSON.stringify(each));
  for (const other of [...others, others[2]?.slice(0, -9) ?? '']) {
    await writeFile(file, other);
    const refused = await wartable(['audit', 'replay', file], { DATABASE_URL: restoredUrl });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is not what `wartable audit --json` writes/);
  }
});

test('the file is accepted as PowerShell writes it, and only with a warning if older entries are missing', async () => {
  const text = await broken('audit --json --since 1d');
  for (const bytes of [Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from(`\uFEFF${text}`)]) {
    await writeFile(file, bytes);
    const { code, stderr } = await wartable(['audit', 'replay', file], { DATABASE_URL: restoredUrl });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /saved with --since, so what happened before \d{4}-.* was not repeated\./);
  }
  assert.match((await doctor()).stdout, /^note: .* was saved with --since/m);
});

test('the right audit is accepted even if the two have no entry in common', async () => {
  const other = await createTestDatabase();
  const copy = await restoredCopy(other.url);
  const last = await other.pool.connect();
  await importLines(last, [bea, cup('late')]);
  last.release();
  await run(other.url, 'tournaments unpublish late');
  await run(copy.url, 'keys create --account New');
  await writeFile(file, await run(other.url, 'audit --json'));
  assert.match(await run(copy.url, `audit replay ${file}`), /^Repeated:\n.* tournament hidden late\n$/);
});

test('a tournament that was hidden, renamed and shown stays shown when the lost feed is sent again', async () => {
  const other = await createTestDatabase();
  const feed = async (pool: typeof other.pool, ...lines: Parameters<typeof importLines>[1]) => {
    const sender = await pool.connect();
    const { refusals } = await importLines(sender, lines);
    sender.release();
    assert.deepEqual(refusals, []);
  };
  await feed(other.pool, bea, cup('old'));
  const copy = await restoredCopy(other.url);
  const renamed = [cup('new'), { kind: 'moved', of: 'tournament', id: 'old', to: 'new' }];
  await run(other.url, 'tournaments unpublish old');
  await feed(other.pool, ...renamed);
  await run(other.url, 'tournaments publish new');
  await writeFile(file, await run(other.url, 'audit --json'));
  await run(copy.url, `audit replay ${file}`);
  await feed(copy.pool, ...renamed);
  const { rows } = await copy.pool.query(`select published from record.tournament where slug = 'new'`);
  assert.deepEqual(rows, [{ published: true }]);
});

test('an erased player whom the backup does not have belongs to the source of the others', async () => {
  const other = await createTestDatabase();
  const send = async (pool: typeof other.pool, ...lines: Parameters<typeof importLines>[1]) => {
    const sender = await pool.connect();
    const { refusals } = await importLines(sender, lines, { source: 'platform' });
    sender.release();
    assert.deepEqual(refusals, []);
  };
  await send(other.pool, bea);
  const copy = await restoredCopy(other.url);
  const lost = [
    { kind: 'player', id: 'bea-2', name: 'Bea' },
    { kind: 'moved', of: 'player', id: 'bea', to: 'bea-2' },
  ];
  await send(other.pool, ...lost);
  await run(other.url, 'players erase bea-2 --yes');
  await writeFile(file, await run(other.url, 'audit --json'));
  assert.match(
    await run(copy.url, `audit replay ${file}`),
    /player erased bea-2; not in this database, and recorded for source platform\n$/,
  );
  // Before, the second line was refused.
  await send(copy.pool, ...lost);
});

test('a replay that was killed before it published is a fault, and the next one publishes', async () => {
  const other = await createTestDatabase();
  const sender = await other.pool.connect();
  await importLines(sender, [bea, cup('late')]);
  sender.release();
  await run(other.url, 'publish');
  const copy = await restoredCopy(other.url);
  await run(other.url, 'tournaments unpublish late');
  const saved = await run(other.url, 'audit --json');
  await writeFile(file, saved);
  // The transaction of the replay was committed; nothing else has happened.
  await replayAudit(copy.pool, { ...(await readAuditFile(file)), isTrusted: false });
  const red = await wartable(['doctor', '--audit', file], { DATABASE_URL: copy.url });
  assert.equal(red.code, 1);
  assert.match(red.stdout, /^fault: Changes have been recorded but not published: /m);
  await run(copy.url, `audit replay ${file}`);
  const { rows } = await copy.pool.query('select slug from published.tournament');
  assert.deepEqual(rows, []);
  assert.doesNotMatch(
    (await wartable(['doctor', '--audit', file], { DATABASE_URL: copy.url })).stdout,
    /not published/,
  );
});

function entry(action: string, kind: string, thing: string): object {
  return { at: new Date(), login: 'wartable', action, kind, thing };
}

/** Writes the audit of the broken database with more entries. */
async function writeEntries(more: object[]): Promise<void> {
  const audit = JSON.parse(await broken('audit --json')) as { entries: object[] };
  await writeFile(file, JSON.stringify({ ...audit, entries: [...audit.entries, ...more] }));
}
