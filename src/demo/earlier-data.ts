import type { Pool } from '../database/pool.ts';
import type { FeedRecord } from '../record/feed/records.ts';
import { CannotRun } from '../failures/explain.ts';
import { demoTag, smallRecords } from './world.ts';

/** The account of the demo's key. */
export const demoAccount = 'Wartable demo';

/**
 * Refuses a database that is in use: one that has somebody's account, or anything that does not come from a
 * demo. A database that was never migrated is fine.
 */
export async function refuseForeignData(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('record.tournament') is not null and to_regclass('keys.account') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return;
  const known = smallRecords();
  const { rows: found } = await pool.query<{ kind: string; id: string }>(
    `(select 'tournament' as kind, slug as id from record.tournament where slug !~ $1 and slug <> all($3) limit 1)
    union all (select 'club', slug from record.club where slug !~ $1 and slug <> all($4) limit 1)
    union all (select 'player', id from record.player where id !~ $2 and id <> all($5) limit 1)
    union all (select 'battle', id from record.battle
      where tournament_id is null and id !~ $2 and id <> all($6) limit 1)
    union all (select 'account', name from keys.account where name <> $7 limit 1)`,
    [
      `-${demoTag}(-[0-9a-z]+)?$`,
      `^${demoTag}-`,
      idsOf(known, 'tournament'),
      idsOf(known, 'club'),
      idsOf(known, 'player'),
      idsOf(known, 'battle'),
      demoAccount,
    ],
  );
  const [first] = found;
  if (first === undefined) return;
  throw new CannotRun(
    `The database in DATABASE_URL is in use (it has the ${first.kind} ${first.id}), and the demo writes invented results: give it an empty database, or run it without DATABASE_URL.`,
  );
}

function idsOf(records: FeedRecord[], kind: FeedRecord['kind']): string[] {
  return records.flatMap((record) => {
    if (record.kind !== kind) return [];
    if ('slug' in record) return [record.slug];
    return 'id' in record && record.id !== undefined ? [record.id] : [];
  });
}

/**
 * Returns records that remove the events that earlier demos played in this database. One of them may have
 * stopped halfway.
 */
export async function removalsOfEarlierEvents(pool: Pool, world: FeedRecord[]): Promise<FeedRecord[]> {
  const { rows } = await pool.query<{ slug: string }>(
    'select slug from record.tournament where slug ~ $1 and slug <> all($2)',
    [`-${demoTag}-[0-9a-z]+$`, idsOf(world, 'tournament')],
  );
  return rows.map(({ slug }) => ({ kind: 'remove', of: 'tournament', id: slug }));
}
