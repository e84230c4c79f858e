import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
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
  // These are not lists of tags, so they are ignored even if they contain the tag as a substring.
  [tag.replace('W/', 'w/'), []],
  [tag.slice(0, -1), []],
  [tag.slice(3, -1), []],
  [`${tag} ${tag}`, []],
  [`x${tag}`, []],
  [`${tag}x`, []],
  [`"${tag}"`, []],
  ['*, "a"', []],
  // Only spaces and tabs count as white space.
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

// A careless pattern would try every possible split of each of these long runs.
for (const run of [' ', '\t', '"', '"x', '"x" ', ' ,', 'W/', '"1.x",', `${tag} `]) {
  test(`a header full of ${run} is read without trying every split of it`, () => {
    const hostile = `${run.repeat(8_000_000 / run.length)}!`;
    const work = () => revisionsHeld(hostile, identity);
    // The square of 8,000,000 steps would take hours, and only a context of its own allows us to interrupt
    // it.
    assert.deepEqual(runInNewContext('work()', { work }, { timeout: 120_000 }), []);
  });
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
