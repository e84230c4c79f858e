import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopClock } from '../../harness/support/clock.ts';
import { Pace } from './pace.ts';

test('the batches of a live source grow while they are fast and shrink when they are slow', async (t) => {
  const pass = stopClock(t);
  const pace = new Pace(true);
  const first = pace.most;
  await pace.timed(first - 1, async () => {});
  assert.equal(pace.most, first, 'a batch that was not full says nothing');
  await pace.timed(first, async () => {});
  assert.equal(pace.most, 2 * first);
  await pace.timed(1, async () => pass(1_010));
  assert.equal(pace.most, first);
  for (let i = 0; i < 20; i += 1) await pace.timed(pace.most, async () => {});
  assert.equal(pace.most, new Pace(false).most);
});

test('the batches of a file do not change', async (t) => {
  const pass = stopClock(t);
  const pace = new Pace(false);
  await pace.timed(1, async () => pass(1_010));
  assert.equal(pace.most, 4_000);
});
