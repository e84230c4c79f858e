import type { Pool } from '../database/pool.ts';
import { publishedChannel } from '../published/notice.ts';

/**
 * Gives committed changes their sequence numbers, which makes them visible to callers who follow changes.
 * Call it after a commit.
 */
export async function numberChanges(pool: Pool): Promise<void> {
  for (let given = maxGiven; given === maxGiven;) {
    const { rows } = await pool.query<{ given: number }>({
      text: 'select published.number_changes() as given',
    });
    given = rows[0]?.given ?? 0;
  }
}

/**
 * Maximum number of changes that one call of the function numbers. If it numbers fewer, only changes that
 * another publisher holds are left.
 */
const maxGiven = 5_000;

/**
 * Begins a new epoch. Call it after a restore, when every sequence number that a caller holds means something
 * else or nothing.
 */
export async function startEpoch(pool: Pool): Promise<void> {
  await pool.query({
    text: `with moved as (
        update published.change_list
        set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12), revision = published.next_revision(revision)
        returning revision)
      select pg_notify($1, format('{"moved":{"changes":"%s"}}', revision)) from moved`,
    values: [publishedChannel],
  });
}

/**
 * Counts the changes that have waited too long for a sequence number, because their publisher died and no
 * other one came.
 */
export async function readWaitingChanges(
  pool: Pool,
): Promise<{ changes: number; since: string } | undefined> {
  const { rows } = await pool.query<{ changes: number; since: string }>(
    `select count(*)::int as changes, to_char(min(since) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
    from published.change where sequence is null and since < now() - interval '10 s' having count(*) > 0`,
  );
  return rows[0];
}
