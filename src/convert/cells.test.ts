import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarDate, type DateOrder, pointsInCell, wholeNumberInCell, yesOrNo } from './cells.ts';
import type { NamedCell } from './findings.ts';

/** Returns the value, or what the refusal says was expected. */
function read<Value>(text: string, reader: (cell: NamedCell) => Value): Value | string {
  let wanted: string | undefined;
  const value = reader({ text, refuse: (what) => void (wanted = what) });
  return wanted === undefined ? value : `expected ${wanted}`;
}

test('numbers are read as Excel, LibreOffice and people write them', () => {
  const cases: [string, number | undefined][] = [
    ['12', 12],
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['12,50', 12.5],
    ['2.000', 2000],
    ['2,000', 2000],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['2 000', 2000],
    ["2'000", 2000],
    ['0.500', 0.5],
    ['7½', 7.5],
    ['½', 0.5],
    ['−3', -3],
    ['', undefined],
    ['-', undefined],
    ['–', undefined],
  ];
  for (const [text, value] of cases) assert.equal(read(text, pointsInCell), value, text);
  for (const text of [
    '12-8',
    '1 2',
    '1.2.3',
    'twelve',
    '1e3',
    '12.345,678',
    '1.0055',
    '9999999',
    '0x10',
    ',',
  ]) {
    assert.match(String(read(text, pointsInCell)), /^expected a number/, text);
  }
});

test('whole numbers may have a word before them and a dot behind', () => {
  const upTo100 = (cell: NamedCell) => wholeNumberInCell(cell, 1, 100);
  for (const text of ['7', '7.', '7th', '#7', 'Nr. 7', 'Table 7', 'T7', '7.0', '7,00']) {
    assert.equal(read(text, upTo100), 7, text);
  }
  for (const text of ['0', '101', '7.5', '-7', '7a', 'seven']) {
    assert.equal(read(text, upTo100), 'expected a whole number between 1 and 100', text);
  }
});

test('dates have one reading, or are refused', () => {
  const dated = (text: string, order?: DateOrder) => read(text, (cell) => calendarDate(cell, order));
  for (const text of ['2026-11-14', '14.11.2026', '14.11.26', '14. 11. 2026', '11/14/2026', '14/11/2026']) {
    assert.equal(dated(text), '2026-11-14', text);
  }
  for (const text of ['2026/11/14', '11/14/26', '14-11-2026', '2026-11-14 09:30', '11/14/2026 9:30 AM']) {
    assert.equal(dated(text), '2026-11-14', text);
  }
  assert.equal(dated('5.11.2026'), '2026-11-05');
  assert.equal(dated('11/11/2026'), '2026-11-11');
  assert.match(String(dated('05/11/2026')), /say --dates dmy or --dates mdy/);
  assert.equal(dated('05/11/2026', 'dmy'), '2026-11-05');
  assert.equal(dated('05/11/2026', 'mdy'), '2026-05-11');
  for (const text of ['30.2.2026', '2026-13-01', '14.11', '26-11-14', '46340', 'Saturday', '14.11/2026']) {
    assert.match(String(dated(text)), /^expected a date like/, text);
  }
  assert.match(String(dated('14/11/2026', 'mdy')), /^expected a date like/);
});

test('yes and no are known in six languages', () => {
  for (const text of ['yes', 'Ja', 'OUI', 'sí', 'sì', 'x', 'WAHR', 'Tak', '1'])
    assert.equal(read(text, yesOrNo), true, text);
  for (const text of ['no', 'Nein', 'non', 'FALSCH', 'nie', '0'])
    assert.equal(read(text, yesOrNo), false, text);
  assert.equal(read('perhaps', yesOrNo), 'expected yes or no');
});

test('a column that was too narrow is reported as such', () => {
  const date = (cell: NamedCell) => calendarDate(cell, undefined);
  const rank = (cell: NamedCell) => wholeNumberInCell(cell, 1, 9);
  for (const reader of [date, rank, pointsInCell] as ((cell: NamedCell) => unknown)[])
    assert.match(String(read('########', reader)), /make the column wider/);
  assert.equal(read('#1', rank), 1);
});
