import assert from 'node:assert/strict';
import { test } from 'node:test';
import { etagOf, revisionsHeld } from './etag.ts';

const identity = ['/api/v1/clubs/a', null];
const [tag, older] = [etagOf(identity, '1763000000000001'), etagOf(identity, '1763000000000000')];
const foreign = etagOf(['/api/v1/clubs/b', null], '1763000000000001');
const opaque = tag.slice(2);

const headers: [header: string | undefined, held: string[] | null][] = [
  [undefined, []],
  ['*', null],
  [' * ', null],
  [tag, ['1763000000000001']],
  [opaque, ['1763000000000001']],
  [`${older}, ${tag}`, ['1763000000000000', '1763000000000001']],
  [`"x",${older},,\t${tag} ,`, ['1763000000000000', '1763000000000001']],
  [foreign, []],
  [`${foreign}, ${tag}`, ['1763000000000001']],
  ['"a, b", "*"', []],
  ['', []],
  [',', []],
  // These are not lists of tags, so they are ignored, even where a tag is a substring.
  [tag.replace('W/', 'w/'), []],
  [tag.slice(0, -1), []],
  [tag.slice(3, -1), []],
  [`${tag} ${tag}`, []],
  [`x${tag}`, []],
  [`${tag}x`, []],
  [`"${tag}"`, []],
  ['*, "a"', []],
  // Only spaces and tabs are white space.
  ['\xa0*', []],
  [`\xa0${tag}`, []],
  // Revisions that PostgreSQL could not read must not reach it.
  ['"99999999999999999999.x"', []],
  ['"1e5.x"', []],
];

for (const [header, held] of headers) {
  test(`If-None-Match ${header ?? '(none)'} holds ${held === null ? 'any' : held.length}`, () => {
    assert.deepEqual(revisionsHeld(header, identity), held);
  });
}

// Each of these makes a careless pattern try every split of a long run.
for (const run of [' ', '\t', '"', '"x', '"x" ', ' ,', 'W/', '"1.x",', `${tag} `]) {
  test(`a header full of ${run} is read in time linear in its size`, () => {
    const hostile = (bytes: number) => `${run.repeat(bytes / run.length)}!`;
    revisionsHeld(hostile(64_000), identity);
    const ratio =
      fastest(() => revisionsHeld(hostile(64_000), identity)) /
      fastest(() => revisionsHeld(hostile(4_000), identity));
    // 16 times the size: quadratic would be 256 times the time.
    assert.ok(ratio < 80, `${ratio.toFixed(1)} times the time`);
  });
}

function fastest(work: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

test('a tag changes with the revision and with everything that decides the answer', () => {
  const tags = [
    etagOf(['/a', null], '1'),
    etagOf(['/a', null], '2'),
    etagOf(['/a', ''], '1'),
    etagOf(['/a', 'null'], '1'),
    etagOf(['/b', null], '1'),
  ];
  assert.equal(new Set(tags).size, tags.length);
  for (const each of tags) assert.match(each, /^W\/"[\w.-]+"$/);
});
