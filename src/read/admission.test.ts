import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stopClock } from '../../harness/support/clock.ts';
import { Overloaded } from '../availability/unavailable.ts';
import { type AdmissionOptions, createAdmission } from './admission.ts';
import { Asker } from '../http/asker.ts';

/**
 * Returns an admission whose reads end when the test says so, and lists of the reads that began and of how
 * waits ended.
 */
function stage(options: Partial<AdmissionOptions> = {}) {
  const began: string[] = [];
  const ends: string[] = [];
  const going: (() => void)[] = [];
  const admission = createAdmission({
    slots: 1,
    maxOf: () => Infinity,
    hasRoom: () => true,
    onWaited: (_ms, end) => ends.push(end),
    ...options,
  });
  const read = (name: string, asker = new Asker(name.slice(0, 1))) =>
    admission.pass(asker, () => {
      began.push(name);
      return new Promise<void>((resolve) => going.push(resolve));
    });
  const finish = async () => {
    going.shift()?.();
    await nextTurn();
  };
  return { admission, began, ends, read, finish };
}

test('owners are served in turns, and each of them in order', async () => {
  const { began, read, finish } = stage();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void read(name);
  for (let i = 0; i < 7; i += 1) await finish();
  assert.deepEqual(began, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('an owner above its bound waits, and the others pass', async () => {
  let isRoom = true;
  const { admission, began, read, finish } = stage({
    slots: 3,
    maxOf: (owner) => (owner === 's' ? 1 : 3),
    hasRoom: (owner) => owner !== 'f' || isRoom,
  });
  isRoom = false;
  for (const name of ['s1', 's2', 'f1', 'a1', 'a2']) void read(name);
  assert.deepEqual(began, ['s1', 'a1', 'a2']);
  await finish();
  assert.deepEqual(began.slice(3), ['s2']);
  await finish();
  isRoom = true;
  admission.letIn();
  await nextTurn();
  assert.deepEqual(began.slice(4), ['f1']);
});

test('a queue that stands takes no more of its owner, and others still wait in theirs', async (t) => {
  const pass = stopClock(t);
  const { admission, ends, read } = stage({ refusedAfterMs: 100 });
  for (let i = 0; i < 8; i += 1) void read(`a${i}`).catch(() => {});
  assert.equal(admission.waiting(), 7);
  pass(250);
  void read('a8').catch(() => {});
  assert.equal(admission.waiting(), 8);
  let isRefused = false;
  const refused = assert.rejects(read('a9'), Overloaded).then(() => (isRefused = true));
  assert.deepEqual([admission.waiting(), ends], [8, ['full']]);
  void read('b1').catch(() => {});
  assert.equal(admission.waiting(), 9);
  pass(90);
  await nextTurn();
  assert.equal(isRefused, false, 'not at once');
  pass(10);
  await refused;
});

test('a burst waits, up to 500 of an owner and 1,000 in all', (t) => {
  // With the clock stopped, a burst takes less than 250 ms.
  stopClock(t);
  const { admission, ends, read } = stage();
  const burst = (owner: string) => {
    for (let i = 0; i < 501; i += 1) void read(`${owner}${i}`).catch(() => {});
    const before = ends.length;
    void read(owner).catch(() => {});
    assert.equal(ends.length, before + 1);
    return admission.waiting();
  };
  assert.deepEqual([burst('a'), burst('b')], [500, 1_000]);
});

test('a read that waits too long, or whose caller leaves, gives up its place in the queue', async (t) => {
  const pass = stopClock(t);
  const { admission, began, ends, read, finish } = stage({ longestWaitMs: 60 });
  void read('a1');
  const caller = new Asker('a');
  const gone = assert.rejects(read('a2', caller), /gone/);
  const late = assert.rejects(read('a3'), /in time/);
  caller.leave();
  await gone;
  pass(100);
  await late;
  assert.deepEqual(ends, ['gone', 'late']);
  assert.equal(admission.waiting(), 0);
  await finish();
  assert.equal(admission.inside(), 0);
  assert.deepEqual(began, ['a1']);
});

test('a read that fails gives its place back', async () => {
  const { admission } = stage();
  await assert.rejects(
    admission.pass(new Asker('a'), () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(admission.inside(), 0);
});
