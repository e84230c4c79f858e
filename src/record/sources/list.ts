import type { ClientBase } from 'pg';
import type { Pool } from '../../database/pool.ts';

export interface SourceHealth {
  name: string;
  lastSentAt: Date | null;
  /** Number of records that were accepted, and then refused, since the source first sent something. */
  accepted: number;
  refused: number;
  lastRefusedAt: Date | null;
  lastRefusal: string | null;
  /** True if something was refused since an import of this source last ended without a refusal. */
  isRefusing: boolean;
  /** The number of seconds of silence that are normal, or null if none is set. */
  expectedSeconds: number | null;
  /** True if it has been silent for longer. */
  isLate: boolean;
}

export async function listSources(pool: Pool): Promise<SourceHealth[]> {
  const { rows } = await pool.query<SourceHealth>(
    `select name, last_sent_at as "lastSentAt", accepted::float8 as accepted, refused::float8 as refused,
        last_refused_at as "lastRefusedAt", last_refusal as "lastRefusal",
        is_refusing as "isRefusing",
        extract(epoch from expected_every)::float8 as "expectedSeconds",
        expected_every is not null and (last_sent_at is null or last_sent_at < now() - expected_every) as "isLate"
      from record.source order by name`,
  );
  return rows;
}

/**
 * Sets how long a source may be silent, where null means for any time. Returns false if there is no such
 * source.
 */
export async function expectSource(pool: Pool, name: string, seconds: number | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update record.source set expected_every = make_interval(secs => $2) where name = $1`,
    [name, seconds],
  );
  return rowCount === 1;
}

export async function isSource(client: Pick<Pool, 'query'> | ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from record.source where name = $1', [name]);
  return rowCount === 1;
}
