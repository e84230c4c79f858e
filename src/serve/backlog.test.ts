import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../database/databases.ts';
import { createBacklog } from './backlog.ts';

test('scrapes that come together, or soon after each other, share one query', async () => {
  const primary = fakePrimary(async () => [
    { lagSeconds: 1.5, marks: '3', stuckThings: '1', waitingChanges: '2' },
  ]);
  const backlog = createBacklog(primary);
  const expected = { lagSeconds: 1.5, marks: 3, stuckThings: 1, waitingChanges: 2 };
  assert.deepEqual(await Promise.all([backlog(), backlog()]), [expected, expected]);
  assert.deepEqual(await backlog(), expected);
  assert.equal(primary.queries, 1);
});

test('a primary that is away makes the numbers unknown, and the next look asks again', async () => {
  const primary = fakePrimary(() => Promise.reject(new Error('away')));
  const backlog = createBacklog(primary, 0);
  assert.deepEqual(await backlog(), { lagSeconds: NaN, marks: NaN, stuckThings: NaN, waitingChanges: NaN });
  await backlog();
  assert.equal(primary.queries, 2);
});

function fakePrimary(answer: () => Promise<unknown>): Pick<Database, 'query'> & { queries: number } {
  const primary = {
    queries: 0,
    query: () => {
      primary.queries += 1;
      return answer();
    },
  };
  return primary as unknown as Pick<Database, 'query'> & { queries: number };
}
