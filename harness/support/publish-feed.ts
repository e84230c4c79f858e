import assert from 'node:assert/strict';
import type { ClientBase } from 'pg';
import type { Pool } from '../../src/database/pool.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { type Imported, importLines, importText } from './feed.ts';

/** Records a feed and publishes what it changed. Nothing in it may be refused or fail. */
export async function publishFeed(pool: Pool, records: FeedRecord[]): Promise<void> {
  await publishImported(pool, (client) => importLines(client, records));
}

/** Does the same with the text of a feed. */
export async function publishText(pool: Pool, feed: string): Promise<void> {
  await publishImported(pool, (client) => importText(client, feed));
}

async function publishImported(
  pool: Pool,
  imported: (client: ClientBase) => Promise<Imported>,
): Promise<void> {
  const client = await pool.connect();
  try {
    assert.deepEqual((await imported(client)).refusals, []);
  } finally {
    client.release();
  }
  assert.deepEqual((await publishBacklog(pool)).failed, []);
}
