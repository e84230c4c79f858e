import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from './findings.ts';

const refused = (cells: string[]): string[] => {
  const findings = new Findings();
  for (const [at, cell] of cells.entries())
    findings.refuse('g.csv', at + 2, 'x', `expected y, found ${cell}`);
  findings.refuse('g.csv', 3, 'z', 'expected a');
  findings.refuse('g.csv', 3, 'z', 'expected a');
  return findings.refusals.filter((each) => each !== 'g.csv:3: z: expected a');
};
const distinct = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));

test('the same mistake in four rows or more is one sentence', () => {
  assert.deepEqual(
    refused(['a', 'a', 'a']),
    [2, 3, 4].map((line) => `g.csv:${line}: x: expected y, found a`),
  );
  assert.deepEqual(refused(['a', 'a', 'a', 'a']), ['g.csv: 4 rows: x: expected y, found a, first in line 2']);
  assert.deepEqual(refused(['a', 'b', 'a', 'c', 'b']), [
    'g.csv: 5 rows: x: expected y, found a, b, c, first in line 2',
  ]);
});

test('different mistakes keep their lines, until they are a mistake of the whole column', () => {
  assert.equal(refused(distinct(10)).length, 10);
  assert.deepEqual(refused(distinct(11)), [
    'g.csv: 11 rows: x: expected y, found 1, 2, 3 and others, first in line 2',
  ]);
  assert.deepEqual(refused(['a', 'b', 'c', 'd', 'd', 'd', 'd']).slice(-2), [
    'g.csv:4: x: expected y, found c',
    'g.csv: 4 rows: x: expected y, found d, first in line 5',
  ]);
});

test('sentences stand in the order of their first line, and of files and options each is kept', () => {
  const findings = new Findings();
  for (const line of [5, 6, 7, 8]) findings.refuse('b.csv', line, 'x', 'expected y');
  findings.refuse('b.csv', 6, 'z', 'expected w');
  findings.refuse('a.csv', 9, '', 'expected v');
  for (const what of ['e', 'f', 'g', 'h']) findings.refuseAll('event sheet', `${what}: expected y`);
  assert.deepEqual(findings.refusals, [
    'a.csv:9: expected v',
    'b.csv: 4 rows: x: expected y, first in line 5',
    'b.csv:6: z: expected w',
    ...['e', 'f', 'g', 'h'].map((what) => `event sheet: ${what}: expected y`),
  ]);
});

test('results that are left out are counted, too, and so are notes', () => {
  const findings = new Findings(true);
  for (const line of [2, 3, 4, 5]) findings.refuse('g.csv', line, 'result', 'expected y, found x', true);
  for (const line of [2, 3, 4, 5]) findings.note('g.csv', line, 'left out a row');
  assert.deepEqual(findings.skipped, [
    'g.csv: 4 rows: result: expected y, found x, first in line 2: these games have no result until this is corrected, and earlier results are gone',
  ]);
  assert.deepEqual(findings.notes, ['g.csv: 4 rows: left out a row, first in line 2']);
  assert.deepEqual(findings.refusals, []);
});
