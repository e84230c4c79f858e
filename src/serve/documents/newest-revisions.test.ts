import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewestRevisions } from './newest-revisions.ts';

test('a copy is old when a newer revision was heard of, or when there is none of what was heard of', () => {
  const newestRevisions = createNewestRevisions();
  const moved = { tournament: { a: '20' }, club: { c: '5' }, tournaments: '21' };
  assert.ok(newestRevisions.apply(JSON.stringify({ moved })));
  assert.ok(newestRevisions.isNewer('tournament:a', '19'));
  assert.ok(!newestRevisions.isNewer('tournament:a', '20'));
  assert.ok(!newestRevisions.isNewer('tournament:a', '100'));
  assert.ok(newestRevisions.isNewer('tournament:a', undefined));
  assert.ok(!newestRevisions.isNewer('tournament:b', undefined));
  assert.ok(!newestRevisions.isNewer('club:a', '1'));
  assert.ok(newestRevisions.isNewer('club:c', '4'));
  assert.ok(newestRevisions.isNewer('tournaments', '20'));
});

test('an older notice that comes late changes nothing', () => {
  const newestRevisions = createNewestRevisions();
  newestRevisions.apply('{"moved":{"player":{"p":"9"}}}');
  newestRevisions.apply('{"moved":{"player":{"p":"8"}}}');
  assert.ok(newestRevisions.isNewer('player:p', '8'));
  assert.ok(!newestRevisions.isNewer('player:p', '9'));
});

test('after a notice that names no revisions, everything may have moved', () => {
  assert.equal(createNewestRevisions().apply('{"everything":true}'), false);
});

test('the number of revisions is bounded: beyond it, everything may have moved', () => {
  const newestRevisions = createNewestRevisions(2);
  assert.ok(newestRevisions.apply('{"moved":{"club":{"a":"1","b":"1"}}}'));
  assert.ok(!newestRevisions.apply('{"moved":{"club":{"c":"1"}}}'));
  assert.ok(!newestRevisions.isNewer('club:a', undefined));
});

test('a revision far ahead of the clock is not believed: everything may have moved', () => {
  const newestRevisions = createNewestRevisions(100, () => 1_000_000);
  assert.ok(newestRevisions.apply('{"moved":{"club":{"a":"1060000000"}}}'));
  for (const moved of ['"club":{"a":"1060000001"}', '"tournaments":"999999999999999999"']) {
    const before = newestRevisions.generation();
    assert.ok(!newestRevisions.apply(`{"moved":{${moved}}}`));
    assert.equal(newestRevisions.generation(), before + 1);
  }
  assert.equal(newestRevisions.newest('club:a'), 1_060_000_000n);
  assert.equal(newestRevisions.newest('tournaments'), undefined);
});

test('what the primary has replaces what a notice named, unless another notice came', () => {
  const newestRevisions = createNewestRevisions();
  newestRevisions.apply('{"moved":{"club":{"a":"9","b":"9"}}}');
  const heardOfA = newestRevisions.heard('club:a');
  const heardOfB = newestRevisions.heard('club:b');
  assert.ok(heardOfA !== undefined && heardOfB !== undefined);
  newestRevisions.correct('club:a', heardOfA, 5n);
  assert.equal(newestRevisions.newest('club:a'), 5n);
  newestRevisions.correct('club:b', heardOfB, 10n);
  assert.equal(newestRevisions.newest('club:b'), 9n);
  newestRevisions.apply('{"moved":{"club":{"b":"6"}}}');
  newestRevisions.correct('club:b', heardOfB, 5n);
  assert.equal(newestRevisions.newest('club:b'), 9n);
});
