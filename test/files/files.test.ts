import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { assertEqualsDatabase, linesOf, wholeIndex } from '../../harness/support/data-files.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';

// Tests `wartable files` with the login of a server.

const database = await createTestDatabase();
const DATABASE_URL = await database.loginAs('wartable_serve');
const scratch = mkdtempSync(path.join(tmpdir(), 'wartable-files-'));
atEnd(() => rm(scratch, { recursive: true }));
const folder = path.join(scratch, 'data');

const game = { stage: 'swiss', round: 1, finished: true };
const cup = {
  kind: 'tournament' as const,
  published: true,
  name: 'Cup',
  status: 'finished' as const,
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board' as const, rounds: 1 }],
  participants: [
    { id: 'a', player: 'erin-e' },
    { id: 'b', name: '=Guest "B", the second' },
  ],
};
const sides = [{ participant: 'a' }, { participant: 'b' }];
await publishFeed(database.pool, [
  ...world({ seed: 3, battles: 400, from: dayNumber('2024-06-01'), today: dayNumber('2024-12-31') }),
  { kind: 'player', id: 'erin-e', name: 'Erin Erasable' },
  {
    ...cup,
    slug: 'dated-cup',
    startDate: '2023-02-11',
    battles: [{ ...game, id: 'd-1', date: '2023-02-12', sides, winner: 'a' }],
  },
  { ...cup, slug: 'undated-cup', battles: [{ ...game, id: 'u-1', sides, winner: 'b' }] },
  { ...cup, slug: 'draft-cup', published: false, battles: [{ ...game, id: 'x-1', sides, winner: 'b' }] },
]);

test('all published documents are in the files of their months', async () => {
  const { stdout } = await files();
  const { files: entries, after } = wholeIndex(folder);
  const bytes = entries.reduce((sum, each) => sum + each.bytes, 0);
  assert.equal(
    stdout,
    `${entries.length} files, ${(bytes / 1e6).toFixed(1)} MB: ${entries.length} new, 0 removed.\n`,
  );
  assert.ok((await assertEqualsDatabase(database.pool, folder)) > 900);
  const { rows } = await database.pool.query(
    `select epoch || '.' || last as after from published.change_list`,
  );
  assert.deepEqual(rows, [{ after }]);
  assert.doesNotMatch(everything(), /draft-cup|"x-1"|"url"/);
  const undated = entries.filter(({ month }) => month === null).map(({ kind }) => kind);
  assert.deepEqual(undated, [
    'clubs',
    'tournaments',
    'standings',
    'participants',
    'battles',
    'battle-details',
    'battle-sides',
  ]);
  assert.equal(statSync(path.join(folder, 'index.json')).mode & 0o777, 0o644);
});

test('the index says the day of the files, and where the terms are', async () => {
  const head = () => {
    const { files: _, after: _after, ...rest } = wholeIndex(folder);
    return rest;
  };
  const terms = 'https://club.example/terms?a=1&b';
  assert.deepEqual(head(), { date: new Date().toISOString().slice(0, 10), terms: null });
  assert.equal((await wartable(['files', folder], { DATABASE_URL: database.url, TERMS_URL: terms })).code, 0);
  assert.equal(head().terms, terms);
  await files();
  assert.equal(head().terms, null);
});

test('a row of the CSV is a side of a battle', () => {
  const entry = wholeIndex(folder).files.find(({ name }) => name.startsWith('battle-sides-2023-02'));
  assert.ok(entry);
  const rows: Record<string, string>[] = parse(linesOf(folder, entry).join('\n'), { columns: true });
  assert.equal(entry.rows, 2);
  assert.deepEqual(
    rows.map(({ tournament, id, side, player, outcome }) => [tournament, id, side, player, outcome]),
    [
      ['dated-cup', 'd-1', '1', 'Erin Erasable', 'win'],
      // As in the files of the site, a spreadsheet must not run this.
      ['dated-cup', 'd-1', '2', `'=Guest "B", the second`, 'loss'],
    ],
  );
});

test('a second run without changes writes nothing, and one with changes only what changed', async () => {
  const before = seen();
  assert.match((await files()).stdout, /: 0 new, 0 removed\.$/m);
  assert.deepEqual(seen(), before);
  await publishFeed(database.pool, [{ kind: 'club', slug: 'a-new-club', name: 'A new club' }]);
  assert.match((await files()).stdout, /: 1 new, 1 removed\.$/m);
  const changed = [...seen()].filter(([name, moment]) => before.get(name) !== moment).map(([name]) => name);
  assert.equal(changed.length, 2);
  assert.match(changed.toSorted().join(' '), /^clubs-undated-\w+\.ndjson\.gz index\.json$/);
});

test('an erased person is in no file after the next run', async () => {
  assert.match(everything(), /Erin Erasable/);
  assert.match(everything(), /erin-e/);
  const { code } = await wartable(['players', 'erase', 'erin-e', '--yes'], { DATABASE_URL: database.url });
  assert.equal(code, 0);
  await files();
  assert.doesNotMatch(everything(), /Erin Erasable|erin-e/);
  await assertEqualsDatabase(database.pool, folder);
});

test('a run that cannot replace the index has deleted no file that it names', async () => {
  const copy = path.join(scratch, 'copy');
  cpSync(folder, copy, { recursive: true });
  await publishFeed(database.pool, [{ kind: 'club', slug: 'a-newer-club', name: 'A newer club' }]);
  // A folder in place of the index cannot be replaced by a file.
  rmSync(path.join(copy, 'index.json'));
  mkdirSync(path.join(copy, 'index.json'));
  assert.equal((await wartable(['files', copy], { DATABASE_URL })).code, 2);
  assert.equal(readdirSync(copy).filter((name) => name.startsWith('clubs-')).length, 2);
  rmSync(path.join(copy, 'index.json'), { recursive: true });
  cpSync(path.join(folder, 'index.json'), path.join(copy, 'index.json'));
  wholeIndex(copy);
});

test('it removes what a killed run left, and nothing of others', async () => {
  const others = [
    'notes.txt',
    'battles-2026.csv',
    'scores-2026-04.csv.gz',
    'battles-2026-04.csv.gz',
    'photo.part',
  ];
  const ours = [
    'clubs-undated-0123456789abcdef.ndjson.gz',
    'battles-2026-04.ndjson.gz.part',
    'index.json.part',
  ];
  for (const name of [...others, ...ours]) writeFileSync(path.join(folder, name), 'x');
  await files();
  const names = readdirSync(folder);
  assert.deepEqual(
    names.filter((name) => ours.includes(name)),
    [],
  );
  assert.deepEqual(names.filter((name) => others.includes(name)).toSorted(), others.toSorted());
});

test('it refuses a folder of another program, one that it cannot write, and a second run beside the first', async () => {
  const foreign = mkdtempSync(path.join(scratch, 'foreign-'));
  writeFileSync(path.join(foreign, 'index.json'), '{"name":"an app"}');
  const refused = await wartable(['files', foreign], { DATABASE_URL });
  assert.equal(refused.code, 2);
  assert.equal(
    refused.stderr,
    `wartable: ${foreign} has an index.json from another program: choose another folder.\n`,
  );
  assert.deepEqual(readdirSync(foreign), ['index.json']);
  const file = path.join(foreign, 'index.json');
  const unwritable = await wartable(['files', file], { DATABASE_URL });
  assert.equal(
    unwritable.stderr,
    `wartable: The folder ${file} cannot be written to: give this user permission to write there.\n`,
  );
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(hashtextextended('files', 0))`);
  // A folder can have several names, because one of them may be a link.
  const link = path.join(scratch, 'link');
  symlinkSync(folder, link);
  const second = await wartable(['files', link], { DATABASE_URL });
  assert.equal(
    second.stderr,
    'wartable: Another `wartable files` is reading this database: wait until it has finished.\n',
  );
  assert.equal(second.code, 2);
  // A run waits for another one that ends soon.
  const waits = files();
  await eventually(async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and query like '%files%isAlone%'
        and pid <> pg_backend_pid()`,
    );
    assert.equal(rowCount, 1);
  });
  await client.query('rollback');
  client.release();
  await waits;
});

async function files() {
  const result = await wartable(['files', folder], { DATABASE_URL });
  assert.equal(result.code, 0, result.stderr);
  return result;
}

/** Returns the time at which each file was written. */
function seen(): Map<string, number> {
  return new Map(readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).mtimeMs]));
}

/** Returns the text of all files in the folder, including those that are not in the index. */
function everything(): string {
  const named = wholeIndex(folder).files;
  assert.deepEqual(
    readdirSync(folder).toSorted(),
    [...named.map(({ name }) => name), 'index.json'].toSorted(),
  );
  return [readFileSync(path.join(folder, 'index.json'), 'utf8')]
    .concat(named.flatMap((entry) => linesOf(folder, entry)))
    .join('\n');
}
