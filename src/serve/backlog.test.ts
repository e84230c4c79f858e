import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../database/pool.ts';
import { createBacklog } from './backlog.ts';

test('scrapes that come together, or soon after each other, share one query', async () => {
  const pool = fakePool(async () => ({ rows: [{ lagSeconds: 1.5, marks: '3', stuckThings: '1' }] }));
  const backlog = createBacklog(pool);
  const expected = { lagSeconds: 1.5, marks: 3, stuckThings: 1 };
  assert.deepEqual(await Promise.all([backlog(), backlog()]), [expected, expected]);
  assert.deepEqual(await backlog(), expected);
  assert.equal(pool.queries, 1);
});

test('a primary that is away makes the numbers unknown, and the next look asks again', async () => {
  const pool = fakePool(() => Promise.reject(new Error('away')));
  const backlog = createBacklog(pool, 0);
  assert.deepEqual(await backlog(), { lagSeconds: NaN, marks: NaN, stuckThings: NaN });
  await backlog();
  assert.equal(pool.queries, 2);
});

function fakePool(answer: () => Promise<unknown>): Pick<Pool, 'query'> & { queries: number } {
  const pool = {
    queries: 0,
    query: () => {
      pool.queries += 1;
      return answer();
    },
  };
  return pool as unknown as Pick<Pool, 'query'> & { queries: number };
}
