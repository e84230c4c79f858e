// Checks that a player enters a tournament only once. Inside a tournament record, the feed checks this
// itself. For small records it depends on their order, so each is checked against the records before it, as
// if each had its own transaction.
import type { ClientBase } from 'pg';
import type { TournamentChange } from './tournament-change.ts';
import { found, type Problem } from '../feed/problem.ts';
import type { RecordedTournament } from './recorded-tournament.ts';

/**
 * Returns the changes that would enter a player a second time. A change that already has problems enters no
 * player.
 */
export async function checkEntries(
  client: ClientBase,
  judged: { change: TournamentChange; problems: Problem[] }[],
  stored: Map<string, RecordedTournament>,
): Promise<Map<TournamentChange, Problem>> {
  const refused = new Map<TournamentChange, Problem>();
  const entries = judged.flatMap(({ change, problems }) => {
    const entry = change.whole ? undefined : change.parts.participants?.[0];
    const tournament = stored.get(change.slug);
    return entry && tournament
      ? { change, problems, tournament: tournament.id, id: entry.id, player: entry.player ?? null }
      : [];
  });
  if (entries.length === 0) return refused;
  const { rows } = await client.query<{ tournament_id: number; id: string; player: string }>({
    // There are two joins, because a single one with `or` would read the whole table.
    text: `select p.tournament_id, p.id, p.player from unnest($1::integer[], $2::text[]) given (tournament_id, id)
        join record.participant p using (tournament_id, id) where p.player is not null
      union select p.tournament_id, p.id, p.player from unnest($1::integer[], $3::text[]) given (tournament_id, player)
        join record.participant p using (tournament_id, player)`,
    values: [
      entries.map((each) => each.tournament),
      entries.map(({ id }) => id),
      entries.map(({ player }) => player),
    ],
  });
  const idOf = new Map(rows.map((row) => [`${row.tournament_id} ${row.player}`, row.id]));
  const playerOf = new Map(rows.map((row) => [`${row.tournament_id} ${row.id}`, row.player]));
  for (const { change, problems, tournament, id, player } of entries) {
    const holder = player === null ? undefined : idOf.get(`${tournament} ${player}`);
    if (holder !== undefined && holder !== id) {
      const message = `expected a player who is not in the tournament yet, found ${found(player)}, who is participant "${holder}"`;
      refused.set(change, { path: 'player', message });
      continue;
    }
    if (problems.length > 0) continue;
    const before = playerOf.get(`${tournament} ${id}`);
    if (before !== undefined) idOf.delete(`${tournament} ${before}`);
    if (player === null) playerOf.delete(`${tournament} ${id}`);
    else {
      idOf.set(`${tournament} ${player}`, id);
      playerOf.set(`${tournament} ${id}`, player);
    }
  }
  return refused;
}
