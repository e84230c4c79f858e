import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSnapshot } from '../../src/commands/with-pool.ts';
import { compareFeed } from '../../src/record/compare/compare.ts';
import { exportFeed } from '../../src/record/export/export.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed, importLines, importText } from '../../harness/support/feed.ts';
import { exported, whole } from '../../harness/support/in-step.ts';

// A comparison and an export may run for an hour beside a live import. They keep everything that they have
// acquired until they end, and at the end they must have no transaction id, and no lock for which a write
// would wait.

const database = await createTestDatabase();
const importing = await database.pool.connect();
await importText(importing, exampleFeed());
await importing.query(`set lock_timeout = '5s'`);
const feed = await exported(importing);
importing.release();

test('a comparison and an export take no transaction id and no lock that an import waits for', async () => {
  await withSnapshot(database.pool, async (client) => {
    for await (const record of exportFeed(client, { drafts: true })) assert.ok(record.kind);
    const surplus: string[] = [];
    async function* chunks(): AsyncGenerator<Buffer> {
      // Only half of the feed, so that it also looks for what is only recorded.
      yield Buffer.from(whole(feed.slice(0, feed.length / 2)));
    }
    const ignore = (): void => undefined;
    await compareFeed(
      client,
      { name: 'feed', chunks: chunks() },
      {},
      {
        onDifference: ignore,
        onlyInFeed: ignore,
        onlyRecorded: (kind, key) => surplus.push(`${kind} ${key}`),
        onProblem: assert.fail,
        onStillNamed: assert.fail,
      },
    );
    assert.ok(surplus.length > 0);
    const { rows } = await client.query<{ xid: string | null; locks: string[] }>(
      `select pg_current_xact_id_if_assigned()::text as xid,
        array(select distinct mode || ' ' || locktype from pg_locks where pid = pg_backend_pid() order by 1) as locks`,
    );
    // Every transaction holds its own virtual id.
    assert.deepEqual(rows, [{ xid: null, locks: ['AccessShareLock relation', 'ExclusiveLock virtualxid'] }]);
    const beside = await database.pool.connect();
    const things = feed.flatMap((each) =>
      each.kind === 'tournament' ? [{ kind: 'remove', of: 'tournament', id: each.slug }] : [],
    );
    assert.ok(things.length > 0);
    const { refusals, changed } = await importLines(beside, [...things, ...feed]);
    beside.release();
    assert.deepEqual(refusals, []);
    assert.ok(changed >= things.length * 2);
  });
});
