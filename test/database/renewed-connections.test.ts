import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabases } from '../../src/database/databases.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';

const { url, pool } = await createTestDatabase();
const databases = createDatabases({
  primaryUrl: url,
  replicaUrls: [],
  kinds: {
    documents: { applicationName: 'test', size: 4, connectTimeoutMs: 5_000, queryTimeoutMs: 120_000 },
  },
  onChange: () => {},
});
atEnd(() => databases.close());

test('after renewal no read uses a connection from before, idle or busy', async () => {
  const [primary] = databases.of.documents;
  /** Returns the backends of four simultaneous reads. */
  const backends = async () => {
    const holder = await pool.connect();
    await holder.query('select pg_advisory_lock(1)');
    const reading = Promise.all(
      [1, 2, 3, 4].map(() =>
        primary.query<{ pid: number }>({
          name: 'pid',
          text: 'select pg_backend_pid() as pid from pg_advisory_xact_lock_shared(1)',
        }),
      ),
    );
    await eventually(async () => {
      const { rowCount } = await holder.query(
        "select from pg_locks where locktype = 'advisory' and not granted",
      );
      assert.equal(rowCount, 4);
    });
    await holder.query('select pg_advisory_unlock(1)');
    holder.release();
    return new Set((await reading).map(([row]) => row?.pid));
  };
  const old = await backends();
  assert.equal(old.size, 4);
  const busy = primary.query({ name: 'sleep', text: 'select pg_sleep(0.3)' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  primary.renew();
  const during = await backends();
  await busy;
  const after = await backends();
  for (const pid of [...during, ...after]) assert.ok(!old.has(pid));

  assert.equal(after.size, 4, 'the pool has all its places');
});
