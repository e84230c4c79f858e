import { hash } from 'node:crypto';
import type { Changes } from '../changes.ts';
import type { TournamentFactions } from '../derive/factions/tournament-factions.ts';

/**
 * SQL for a row of published.tournament, which gives the same digest as `digestOf` below. Null if the
 * tournament adds nothing.
 */
export const factionsDigest = `(
  select md5(concat_ws(' ', f.start_date::text, f.is_long::text, f.counts::text, f.top::text, f.pack))
  from published.tournament_factions f where f.tournament = slug)`;

function digestOf({ startDate, isLong, counts, top, pack }: TournamentFactions): string {
  return hash('md5', [startDate, isLong, counts, top, pack].join(' '));
}

/** Adds the differences to `changes`. A trigger of the table marks the months. */
export function compareFactions(
  changes: Changes,
  tournament: string,
  stored: string | null,
  fresh: TournamentFactions | null,
): void {
  if (stored === (fresh && digestOf(fresh))) return;
  if (stored !== null) changes.remove('tournament_factions', { tournament });
  if (fresh === null) return;
  const { startDate, pack, isLong, counts, top } = fresh;
  changes.add('tournament_factions', {
    tournament,
    start_date: startDate,
    month: `${startDate.slice(0, -2)}01`,
    pack,
    is_long: isLong,
    counts,
    top,
  });
}
