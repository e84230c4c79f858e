import type { Pool } from '../../database/pool.ts';

export interface SourceHealth {
  name: string;
  lastSentAt: Date | null;
  /** How many records were accepted and refused since the source is known. */
  accepted: number;
  refused: number;
  lastRefusedAt: Date | null;
  lastRefusal: string | null;
  /** Something was refused since an import of this source last ended without a refusal. */
  isRefusing: boolean;
  /** How many seconds of silence are normal, or null if nobody has said. */
  expectedSeconds: number | null;
  /** It has been silent for longer. */
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

/** Says how long a source may be silent; null means for any time. Returns false if there is no such source. */
export async function expectSource(pool: Pool, name: string, seconds: number | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update record.source set expected_every = make_interval(secs => $2) where name = $1`,
    [name, seconds],
  );
  return rowCount === 1;
}
