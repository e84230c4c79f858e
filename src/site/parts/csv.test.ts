import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CsvCell, CsvColumn } from '../../text/csv.ts';
import { attachment, csv } from './csv.ts';

function column(header: string, index: number): CsvColumn<CsvCell[]> {
  return { header, cell: (row) => row[index] };
}

test('cells are quoted where they must be, and empty for null', async () => {
  assert.equal(
    await csv<CsvCell[]>(
      [column('a', 0), column('b', 1)],
      [
        ['x,y', 'say "no"'],
        [null, undefined],
        ['two\nlines', true],
      ],
    ),
    '\uFEFFa,b\r\n"x,y","say ""no"""\r\n,\r\n"two\nlines",true\r\n',
  );
});

test('text that begins like a formula gets an apostrophe, a number never does', async () => {
  const rows = [
    '=1',
    '+1',
    '-1',
    '@a',
    '\ta',
    '\ra',
    "'a",
    ' =1',
    -1,
    0.5,
    '＝1',
    'a;=1',
    'a\t＠b',
    'a;b',
    'a=1',
    'a\r\n=1',
    'a\n@b',
    'a\r＋1',
    'a\n\tb',
    'a\r\n\r\nb',
  ].map((value) => [value]);
  assert.equal(
    await csv<CsvCell[]>([column('a', 0)], rows),
    `\uFEFFa\r\n'=1\r\n'+1\r\n'-1\r\n'@a\r\n"'\ta"\r\n"'\ra"\r\n'a\r\n =1\r\n-1\r\n0.5\r\n'＝1\r\n"a;'=1"\r\n"a\t'＠b"\r\n"a;b"\r\na=1\r\n"a\r\n'=1"\r\n"a\n'@b"\r\n"a\r'＋1"\r\n"a\n'\tb"\r\n"a\r\n\r\nb"\r\n`,
  );
});

test('a large file leaves time for other work while it is made', async () => {
  let turns = 0;
  const other = setInterval(() => (turns += 1), 0);
  const rows = Array.from({ length: 50_000 }, (_, i) => [i, 'text, with a comma']);
  assert.equal((await csv<CsvCell[]>([column('a', 0), column('b', 1)], rows)).split('\r\n').length, 50_002);
  clearInterval(other);
  assert.ok(turns > 3, `${turns} turns`);
});

test('a file is named after its slug', () => {
  assert.deepEqual(attachment('cup-2026-swiss'), {
    'content-disposition': 'attachment; filename="cup-2026-swiss.csv"',
  });
});
