import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewestRevisions, type RevisionScope } from './newest-revisions.ts';

test('a copy is old when a newer revision of anything in it was heard of, or when it lacks what was heard of', () => {
  const newestRevisions = createNewestRevisions();
  const moved = { tournament: { a: '20' }, club: { c: '5' }, tournaments: '21', search: '22' };
  assert.ok(newestRevisions.apply(JSON.stringify({ moved })));
  const isOld = (...shown: [RevisionScope, bigint][]) =>
    newestRevisions.isOld(shown.map(([scope, revision]) => ({ scope, revision })));
  assert.ok(isOld(['tournament:a', 19n]));
  assert.ok(!isOld(['tournament:a', 20n]));
  assert.ok(!isOld(['tournament:a', 100n]));
  assert.ok(isOld(['tournament:a', 0n]));
  assert.ok(!isOld(['tournament:b', 0n]));
  assert.ok(!isOld(['club:a', 1n]));
  assert.ok(isOld(['club:c', 4n]));
  assert.ok(isOld(['tournaments', 20n]));
  assert.ok(isOld(['search', 21n]));
  assert.ok(!isOld(['tournament:a', 20n], ['club:c', 5n], ['tournaments', 21n], ['search', 22n]));
  assert.ok(isOld(['tournament:a', 20n], ['club:c', 4n]));
  assert.ok(!isOld());
});

test('an older notice that comes late changes nothing', () => {
  const newestRevisions = createNewestRevisions();
  newestRevisions.apply('{"moved":{"player":{"p":"9"}}}');
  newestRevisions.apply('{"moved":{"player":{"p":"8"}}}');
  assert.equal(newestRevisions.lastNotice('player:p')?.revision, 9n);
});

test('after a notice that names no revisions, everything may have moved', () => {
  assert.equal(createNewestRevisions().apply('{"everything":true}'), false);
});

test('the number of revisions is bounded: beyond it, everything may have moved', () => {
  const newestRevisions = createNewestRevisions(2);
  assert.ok(newestRevisions.apply('{"moved":{"club":{"a":"1","b":"1"}}}'));
  assert.ok(!newestRevisions.apply('{"moved":{"club":{"c":"1"}}}'));
  assert.equal(newestRevisions.lastNotice('club:a'), undefined);
});

test('what the primary has replaces what a notice named, unless another notice came', () => {
  const newestRevisions = createNewestRevisions();
  newestRevisions.apply('{"moved":{"club":{"a":"9","b":"9"}}}');
  const heardOfA = newestRevisions.lastNotice('club:a');
  const heardOfB = newestRevisions.lastNotice('club:b');
  assert.ok(heardOfA !== undefined && heardOfB !== undefined);
  newestRevisions.correct('club:a', heardOfA, 5n);
  assert.equal(newestRevisions.lastNotice('club:a')?.revision, 5n);
  newestRevisions.correct('club:b', heardOfB, 10n);
  assert.equal(newestRevisions.lastNotice('club:b')?.revision, 9n);
  newestRevisions.apply('{"moved":{"club":{"b":"6"}}}');
  newestRevisions.correct('club:b', heardOfB, 5n);
  assert.equal(newestRevisions.lastNotice('club:b')?.revision, 9n);
});
