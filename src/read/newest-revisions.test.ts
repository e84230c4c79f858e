import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewestRevisions, type RevisionScope } from './newest-revisions.ts';

test('a copy is old when a newer revision of anything in it was heard of, or when it lacks what was heard of', () => {
  const newestRevisions = createNewestRevisions();
  const moved = { tournament: { a: '20' }, club: { c: '5' }, tournaments: '21', search: '22' };
  assert.equal(newestRevisions.apply(JSON.stringify({ moved })), 'nothing');
  const isOld = (...shown: [RevisionScope, bigint][]) =>
    newestRevisions.isOld(
      shown.map(([scope, revision]) => ({ scope, revision })),
      0,
    );
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
  assert.equal(createNewestRevisions().apply('{"everything":true}'), 'everything');
});

test('there is room for some scopes; beyond them, those that were named longest ago are forgotten', () => {
  const newestRevisions = createNewestRevisions(10);
  const notice = (key: string, revision = '5') =>
    newestRevisions.apply(`{"moved":{"club":{"${key}":"${revision}"}}}`);
  for (let i = 0; i < 10; i += 1) assert.equal(notice(`c${i}`), 'nothing');
  notice('c0', '6');
  const beforeAll = 0;
  const before = newestRevisions.serial();
  assert.equal(notice('new'), 'forgotten');
  for (const [key, isKnown] of Object.entries({ c0: true, c1: false, c2: false, c3: true, new: true }))
    assert.equal(newestRevisions.lastNotice(`club:${key}`) !== undefined, isKnown, key);
  const isOld = (scope: RevisionScope, revision: bigint, readAtSerial: number) =>
    newestRevisions.isOld([{ scope, revision }], readAtSerial);
  assert.ok(isOld('club:c1', 4n, beforeAll), 'a forgotten scope makes an old copy current');
  assert.ok(isOld('club:never-named', 4n, beforeAll), 'nobody knows whether it was named');
  assert.ok(!isOld('club:c1', 5n, before), 'the read began after the notice');
  assert.ok(!isOld('club:c3', 5n, beforeAll), 'it is known that nothing newer was named');
  assert.ok(isOld('club:c3', 4n, before));
});

/** Returns the share of reads that find a current copy, while far more things change than there is room for. */
function hitRate(scopes: number, onForgotten: (newest: ReturnType<typeof createNewestRevisions>) => void) {
  const newestRevisions = createNewestRevisions(scopes / 3);
  const copies = new Map<number, { generation: number; serial: number; revision: bigint }>();
  const revisions = new Map<number, bigint>();
  let hits = 0;
  const steps = 3 * scopes;
  for (let step = 0; step < steps; step += 1) {
    // Everything changes in turn, as in a long import. Callers read a few other things, which rarely change.
    const moved = step % 50 === 0 ? scopes + ((step / 50) % (scopes / 30)) : step % scopes;
    const revision = BigInt(step + 1);
    revisions.set(moved, revision);
    if (newestRevisions.apply(`{"moved":{"battle":{"${moved}":"${revision}"}}}`) === 'forgotten')
      onForgotten(newestRevisions);
    const read = scopes + ((step * 7_919) % (scopes / 30));
    const copy = copies.get(read);
    const isCurrent =
      copy !== undefined &&
      copy.generation === newestRevisions.generation() &&
      !newestRevisions.isOld([{ scope: `battle:${read}`, revision: copy.revision }], copy.serial);
    if (isCurrent) {
      hits += 1;
      // No notice about it can have been forgotten until now, so it is as good as read now.
      copy.serial = newestRevisions.serial();
      assert.equal(copy.revision, revisions.get(read) ?? 0n, 'an old copy counts as current');
    } else {
      const [generation, serial] = [newestRevisions.generation(), newestRevisions.serial()];
      copies.set(read, { generation, serial, revision: revisions.get(read) ?? 0n });
    }
  }
  return hits / steps;
}

test('with three times as many scopes as there is room for, most copies stay current', (context) => {
  const scopes = 30_000;
  const now = hitRate(scopes, () => {});
  const forgettingAll = hitRate(scopes, (newest) => newest.restart());
  context.diagnostic(`hit rate ${now.toFixed(3)}, ${forgettingAll.toFixed(3)} when everything is forgotten`);
  assert.ok(now >= forgettingAll);
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
