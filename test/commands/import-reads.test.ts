// What people send to `wartable import`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { atEnd } from '../support/at-end.ts';
import { wartable } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';

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
    [
      Buffer.from(lines(club('never')), 'utf16le'),
      /^wartable: \S+bad is UTF-16, not a feed: run `iconv [^`]+`\.\n$/,
    ],
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
  assert.match(stdout, /^2 recorded \(0 battles\), 0 refused/);
  assert.deepEqual([code, stderr], [0, '']);
  const none = await wartable(['import', empty], environment);
  assert.match(none.stdout, /^0 recorded \(0 battles\), 0 refused/);
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
