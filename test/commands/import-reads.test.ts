// Tests what people send to `wartable import`, and how it reports refusals.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-import-'));
atEnd(() => rm(folder, { recursive: true }));

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const club = (slug: string) => ({ kind: 'club', slug, name: 'A club' });
const clubs = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ slug: string }>('select slug from record.club order by slug');
  return rows.map(({ slug }) => slug);
};

test('a file that is not a feed is named before anything is recorded, with exit code 2', async () => {
  const good = path.join(folder, 'good.ndjson');
  const bad = path.join(folder, 'bad');
  await writeFile(good, lines(club('never')));
  const contents: [Buffer | string, RegExp][] = [
    [
      JSON.stringify([club('never')]),
      /^wartable: \S+bad is a JSON array, not a feed: run `jq -c '\.\[\]' [^`]+`\.\n$/,
    ],
    ['slug,name\nnever,Never\n', /^wartable: \S+bad is a table \(CSV\), not a feed: [^\n]+\n$/],
    [gzipSync(lines(club('never'))), /^wartable: \S+bad is gzip, not a feed: run `gunzip -c [^`]+`\.\n$/],
  ];
  for (const [content, message] of contents) {
    await writeFile(bad, content);
    const { code, stdout, stderr } = await wartable(['import', good, bad], environment);
    assert.match(stderr, message);
    assert.deepEqual([code, stdout], [2, '']);
  }
  const piped = await wartable(['import', '-'], environment, `[\n${lines(club('never'))}]`);
  assert.match(
    piped.stderr,
    /^wartable: standard input is a JSON array, not a feed: run `… \| jq [^`]+`\.\n$/,
  );
  assert.deepEqual([piped.code, piped.stdout], [2, '']);
  assert.deepEqual(await clubs(), []);
});

test('a named pipe is read once and judged as it comes', async () => {
  const fifo = path.join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const [, imported] = await Promise.all([
    writeFile(fifo, lines(club('piped'))),
    wartable(['import', fifo], environment),
  ]);
  assert.match(imported.stdout, /^1 recorded/);
  const [, refused] = await Promise.all([
    writeFile(fifo, JSON.stringify([club('never')])),
    wartable(['import', fifo], environment),
  ]);
  assert.deepEqual([refused.code, await clubs()], [2, ['piped']]);
});

test('a feed with a byte order mark and CR LF is recorded, an empty file is fine', async () => {
  const [windows, empty] = [path.join(folder, 'windows.ndjson'), path.join(folder, 'empty.ndjson')];
  await writeFile(windows, `\ufeff${lines(club('w1'), club('w2')).replaceAll('\n', '\r\n')}`);
  await writeFile(empty, '');
  const { code, stdout, stderr } = await wartable(['import', windows, empty], environment);
  assert.match(stdout, /^2 recorded \([^)]*; 0 battles\), 0 refused/);
  assert.deepEqual([code, stderr], [0, '']);
  const none = await wartable(['import', empty], environment);
  assert.match(none.stdout, /^0 recorded \([^)]*; 0 battles\), 0 refused/);
  assert.equal(none.code, 0);
});

test('a key repeated behind a very long string is refused; the lines around it are recorded', async () => {
  const file = path.join(folder, 'long.ndjson');
  const long = `{"kind":"club","slug":"long","description":"${'x'.repeat(9_000_000)}","slug":"long"}\n`;
  await writeFile(file, `${lines(club('l1'))}${long}${lines(club('l2'))}`);
  const { code, stdout, stderr } = await wartable(['import', file], environment);
  assert.equal(stderr, `${file}:2: expected each key once, found "slug" twice in one object\n`);
  assert.match(stdout, /^2 recorded/);
  assert.equal(code, 1);
});

const guest = (tournament: string, id: string) => ({ kind: 'participant', tournament, id, name: 'Guest' });
const tournament = (slug: string, change: object = {}) => ({
  kind: 'tournament',
  slug,
  name: 'T',
  published: false,
  status: 'planned',
  battleSize: 1,
  ...change,
});

test('at most 20 problems of a line are printed, then how many are left', async () => {
  const participants = Array.from({ length: 25 }, (_, index) => ({
    id: `p${index}`,
    player: `nobody-${index}`,
  }));
  const { stderr } = await wartable(
    ['import', '-'],
    environment,
    lines(tournament('many', { participants }), { ...tournament('more'), participants: Array(3000).fill(0) }),
  );
  const printed = stderr.trimEnd().split('\n');
  assert.equal(printed.length, 42);
  assert.equal(
    printed[19],
    'standard input:1: participants[19].player: expected a recorded player, found "nobody-19"',
  );
  assert.equal(printed[20], 'standard input:1: and 5 more problems');
  assert.equal(printed[41], 'standard input:2: and at least 980 more problems');
});

test('what follows from a refused tournament is counted until the tournament is recorded', async () => {
  const feed = lines(
    tournament('late', { battleSize: undefined }),
    ...Array.from({ length: 30 }, (_, index) => guest('late', `a${index}`)),
    guest('unsent', 'a'),
    guest('unsent', 'b'),
    guest('once', 'a'),
    tournament('late', { status: 'over' }),
    guest('late', 'b'),
    tournament('late'),
    guest('late', 'c'),
    { kind: 'remove', of: 'tournament', id: 'late' },
    guest('late', 'd'),
    tournament('bad', { status: 'over' }),
    guest('bad', 'a'),
  );
  const { code, stdout, stderr } = await wartable(['import', '-'], environment, feed);
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'standard input:1: battleSize: expected a battle size for a new tournament, found nothing',
    'standard input:32: tournament: expected a recorded tournament, found "unsent"',
    'standard input:34: tournament: expected a recorded tournament, found "once"',
    'standard input:35: status: expected one of planned, ongoing, finished, found "over"',
    '31 records of tournament "late" were refused before it was recorded (first at standard input:2): send them again',
    'standard input:40: tournament: expected a recorded tournament, found "late"',
    'standard input:41: status: expected one of planned, ongoing, finished, found "over"',
    '2 records of tournament "unsent" were refused because it is not recorded (first at standard input:32)',
    '1 record of tournament "bad" was refused because it is not recorded (first at standard input:42)',
  ]);
  assert.match(stdout, /^3 recorded \([^)]*; 0 battles\), 39 refused/);
  assert.equal(code, 1);
});

test('a refusal that only follows is printed when it stops the import', async () => {
  const { stderr } = await wartable(
    ['import', '--stop-on-error', '-'],
    environment,
    lines(guest('unsent', 'a')),
  );
  assert.equal(stderr, 'standard input:1: tournament: expected a recorded tournament, found "unsent"\n');
});
