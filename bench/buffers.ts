import assert from 'node:assert/strict';
import type { Pool } from '../src/database/pool.ts';
import type { Statement } from '../src/read/reader.ts';

/** How many pages of memory PostgreSQL touches for a statement with a generic plan. This does not depend on the machine. */
export async function buffersOf(
  pool: Pool,
  statement: Statement,
  values: (string | null)[],
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare measured as ${statement.text}`);
    const given = values.map((value) => (value === null ? 'null' : client.escapeLiteral(value)));
    const execute = `execute measured (${given.join(', ')})`;
    // The first execution also reads the catalogue and sets hint bits.
    await client.query(execute);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, timing off, format json) ${execute}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan !== undefined);
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  } finally {
    await client.query('deallocate all; reset plan_cache_mode');
    client.release();
  }
}
