import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCopies } from '../../bench/growth-copies.ts';
import { withWorld } from '../../bench/world.ts';
import type { Pool } from '../../src/database/pool.ts';
import { documents } from '../../src/doctor/checks/documents.ts';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

test('copies of a world are what its facts give, under keys of their own', async () => {
  await withWorld({ serverUrl, battles: 500 }, async ({ url, pool }) => {
    const before = await countRows(pool);
    await addCopies(url, 2);
    assert.deepEqual(
      await countRows(pool),
      Object.fromEntries(Object.entries(before).map(([table, rows]) => [table, rows * 3])),
    );
    assert.deepEqual(await documents({ pool, thorough: true, readUrls: [], now: Date.now }), []);
  });
});

async function countRows(pool: Pool): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['record.battle', 'record.participant', 'published.battle', 'published.change']) {
    const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}
