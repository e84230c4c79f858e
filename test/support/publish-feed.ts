import assert from 'node:assert/strict';
import type { Pool } from '../../src/database/pool.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { importLines } from './feed.ts';

/** Records a feed and publishes what it changed; nothing of it may be refused or fail. */
export async function publishFeed(pool: Pool, records: FeedRecord[]): Promise<void> {
  const client = await pool.connect();
  try {
    assert.deepEqual((await importLines(client, records)).refusals, []);
  } finally {
    client.release();
  }
  assert.deepEqual((await publishStale(pool)).failed, []);
}
