import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../harness/support/database.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

test('a database that writes dates in another way changes nothing', async () => {
  const database = await createTestDatabase();
  await database.pool.query(
    `do $$ begin execute format('alter database %I set datestyle = German', current_database()); end $$`,
  );
  const events = ['2025-12-31', '2025-11-02', null].map((startDate, i): FeedRecord => ({
    kind: 'tournament',
    slug: `event-${i}`,
    published: true,
    name: 'Event',
    status: 'planned',
    battleSize: 2000,
    startDate,
  }));
  const login = await database.loginAs('wartable_serve');
  await publishFeed(database.pool, events);
  const server = await startTestServer(login);
  const { key } = await createTestKey(database);
  const seen: unknown[] = [];
  let target = '/api/v1/tournaments?limit=1';
  while (target !== '') {
    const { status, json } = await server.get(target, bearer(key));
    assert.equal(status, 200);
    const { data, next } = json as { data: { startDate: string | null }[]; next: string | null };
    seen.push(...data.map(({ startDate }) => startDate));
    target = next === null ? '' : next.slice(next.indexOf('/api/'));
  }
  assert.deepEqual(seen, ['2025-12-31', '2025-11-02', null]);
});
