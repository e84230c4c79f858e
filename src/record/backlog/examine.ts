import type { ClientBase } from 'pg';
import type { Pool } from '../../database/pool.ts';
import type { MarkedKind } from './marks.ts';
import type { Failure } from './drain.ts';

/**
 * Counts the marks that no publisher has drained, and returns the time of the oldest, if it is older than
 * `minutes`. Marks with a reason are failures and do not count.
 */
export async function readOldMarks(
  pool: Pool,
  minutes: number,
): Promise<{ rebuild: boolean; marks: string; since: string }[]> {
  const { rows } = await pool.query<{ rebuild: boolean; marks: string; since: string }>(
    `select rebuild, count(*) as marks,
      to_char(min(marked_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from record.mark where reason is null group by rebuild
    having min(marked_at) <= now() - $1 * interval '1 minute'`,
    [minutes],
  );
  return rows;
}

/**
 * Returns things that a publisher tried to publish but could not: at most `max` of them, and their total
 * number.
 */
export async function readFailures(
  pool: Pool,
  max: number,
): Promise<{ failures: Failure[]; things: number }> {
  const { rows } = await pool.query<Failure & { things: string }>(
    `select kind, key, max(reason) as reason, count(*) over () as things
      from record.mark where reason is not null group by kind, key order by kind, key limit $1`,
    [max],
  );
  return { failures: rows, things: Number(rows[0]?.things ?? 0) };
}

/**
 * Returns the keys that have no mark. If a player or pack is marked, it returns none, because such a mark
 * stands for things that it does not name.
 */
export async function unmarkedOf(client: ClientBase, kind: MarkedKind, keys: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `select key from unnest($2::text[]) as key where not exists (select from record.mark s
      where s.kind = $1 and s.key = key.key or s.kind in ('player', 'battlePack'))`,
    [kind, keys],
  );
  return rows.map(({ key }) => key);
}
