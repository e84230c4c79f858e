import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReplicaLag } from './replica-lag.ts';

const head = { lsn: '0/100', now: '2026-11-15 12:00:00+00', started: '2026-11-15 11:00:00+00' };
const caughtUp = { isBehind: false, lastCommitSeconds: 3_600 };

test('a replica that has everything is not behind, though its last commit is old', async () => {
  const lag = createReplicaLag(fake([head]), [fake([caughtUp])]);
  assert.deepEqual(await lag(), [0]);
});

test('a replica that is behind is so since its last commit, or since it had everything if that is later', async () => {
  const rows = [{ isBehind: true, lastCommitSeconds: 90 }];
  const lag = createReplicaLag(fake([head]), [fake(rows)], 0);
  assert.deepEqual(await lag(), [90]);
  rows[0] = caughtUp;
  assert.deepEqual(await lag(), [0]);
  rows[0] = { isBehind: true, lastCommitSeconds: 3_600 };
  const [seconds = NaN] = await lag();
  assert.ok(seconds < 10, `${seconds} s`);
});

test('a replica that misses only what was written a moment ago is not behind by the age of its last commit', async () => {
  let asked = 0;
  const replica = fake([]);
  replica.query = (async () => [{ isBehind: (asked += 1) === 1, lastCommitSeconds: 3_600 }]) as never;
  assert.deepEqual(await createReplicaLag(fake([head]), [replica])(), [0]);
});

test('a replica that has replayed no commit is behind since the server started', async () => {
  const [seconds = NaN] = await createReplicaLag(fake([head]), [
    fake([{ isBehind: true, lastCommitSeconds: null }]),
  ])();
  assert.ok(seconds >= 0 && seconds < 10, `${seconds} s`);
});

test('a database that gives no answer makes the lag unknown, only its own if it is a replica', async () => {
  const away = { query: () => Promise.reject(new Error('away')) };
  assert.deepEqual(await createReplicaLag(fake([head]), [away, fake([caughtUp])])(), [NaN, 0]);
  assert.deepEqual(await createReplicaLag(away, [fake([caughtUp])])(), [NaN]);
});

function fake(rows: unknown[]): Parameters<typeof createReplicaLag>[0] {
  return { query: (async () => rows) as never };
}
