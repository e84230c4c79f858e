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
