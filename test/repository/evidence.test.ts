import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { judge, type JudgedRatio } from '../../bench/bars.ts';
import { benchRows } from '../../bench/evidence.ts';
import { claims } from '../../harness/evidence/claims.ts';
import { evidencePage, readEvidence } from '../../harness/evidence/evidence.ts';
import { specification, statementsOf, testsOfStatements } from '../../harness/conformance/specification.ts';

const root = new URL('../..', import.meta.url);

// `npm run check` compares docs/evidence/README.md with the JSON beside it.

test('every proof has evidence, and nothing else has', () => {
  assert.deepEqual(Object.keys(readEvidence('proofs')).toSorted(), Object.keys(claims).toSorted());
});

test('the table has a row for each claim of a proof and each figure of a bench', () => {
  const rows = evidencePage()
    .split('\n')
    .filter((line) => / \| `[a-z-]+[^`]*` \d{4}-\d\d-\d\d(?: [0-9a-f]{7})? \|$/.test(line));
  const benches = Object.values(readEvidence('bench')).flatMap((each) => each.rows);
  assert.equal(rows.length, Object.keys(claims).length + benches.length);
});

test('a measurement is shown with the bars of today', () => {
  const bench = readEvidence('bench');
  for (const [name, { rows, ...figures }] of Object.entries(bench))
    assert.deepEqual(rows, benchRows(name, figures), name);
  const barsOf = (ratios: JudgedRatio[]) => ratios.map(({ what, least }) => [what, least]);
  const { ratios } = bench['endpoints'] as unknown as { ratios: JudgedRatio[] };
  assert.deepEqual(barsOf(ratios), barsOf(judge([], false).ratios));
});

// Each conformance test compares the evidence with its own rules, so a rule that is listed there exists.
const rules = new Set(
  Object.entries(readEvidence('conformance')).flatMap(([section, kept]) =>
    Object.entries(kept).flatMap(([rule, isKept]) => (isKept ? `${section} · ${rule}` : [])),
  ),
);
const mapped = Object.values(testsOfStatements).flatMap((below) => Object.entries(below));

test('every row and sentence of the specification is in specification.json, and nothing else', () => {
  const written = Object.entries(testsOfStatements).map(([heading, below]) => [heading, Object.keys(below)]);
  assert.deepEqual(written, [...statementsOf(specification)]);
});

test('each has a rule that tests it; what the specification leaves open may have a page that decides it', () => {
  const isPage = (each: string) => each.startsWith('docs/');
  const missing = mapped.flatMap(([, tests]) =>
    tests.filter((each) => (isPage(each) ? !existsSync(new URL(each, root)) : !rules.has(each))),
  );
  assert.deepEqual(missing, [], 'not a rule of the conformance tests, and not a page');
  const untested = mapped.filter(([, tests]) => tests.every(isPage));
  const open = / not shown\b|^It is the only document\.$/;
  const undecided = untested.filter(([statement, pages]) =>
    pages.length === 0 ? !statement.endsWith(':') : !open.test(statement),
  );
  assert.deepEqual(undecided, []);
});

test('the tables of the specification are taken row by row, the texts sentence by sentence', () => {
  const text =
    '# A\n\nOne. Two\nlines, e.g. "x": y.\n\n- Three.\n  - `b` is four.\n\n1. Five:\n\n| Head | It |\n| --- | --- |\n| a | b \\| c. More. |\n## B\n';
  assert.deepEqual(
    [...statementsOf(text)],
    [
      [
        'A',
        ['One.', 'Two lines, e.g. "x": y.', 'Three.', '`b` is four.', 'Five:', 'a | b \\| c.', 'a: More.'],
      ],
      ['B', []],
    ],
  );
});
