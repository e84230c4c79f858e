import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../harness/support/database.ts';
import { BacklogBatches } from '../../src/publish/backlog-batches.ts';
import type { KindPublisher } from '../../src/publish/kind-publisher.ts';

const { pool } = await createTestDatabase();
await pool.query(`insert into record.mark (kind, key)
  select 'club', key from unnest(array['ash', 'birch', 'cedar', 'dogwood']) as key`);

function marksOfClubs(lighten: (keys: string[]) => Promise<string[]>): BacklogBatches {
  const publisher: KindPublisher = {
    kind: 'club',
    max: 2,
    lighten: (_pool, keys) => lighten(keys),
    publish: () => Promise.reject(new Error('not asked for here')),
  };
  return new BacklogBatches(pool, {}, publisher, 'change');
}

test('a failed call fails its own caller only: the next ones get what it did not', async () => {
  let calls = 0;
  const marked = marksOfClubs((keys) => {
    calls += 1;
    return calls === 2 ? Promise.reject(new Error('the database is away')) : Promise.resolve(keys);
  });
  const outcomes = await Promise.allSettled([marked.next(), marked.next(), marked.next(), marked.next()]);
  assert.deepEqual(
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
    [['ash', 'birch'], 'Error: the database is away', ['cedar', 'dogwood'], []],
  );
});

test('calls run one after the other, after a failed one, too', async () => {
  let [running, most, calls] = [0, 0, 0];
  const marked = marksOfClubs(async (keys) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    calls += 1;
    if (calls === 1) throw new Error('the database is away');
    return keys;
  });
  await assert.rejects(marked.next());
  const batches = await Promise.all([marked.next(), marked.next(), marked.next()]);
  assert.deepEqual(batches, [['ash', 'birch'], ['cedar', 'dogwood'], []]);
  assert.equal(most, 1);
});
