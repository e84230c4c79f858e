import type { ClientBase } from 'pg';
import { type Changes, documentTables } from '../changes.ts';
import type { PlayerTournamentRow } from '../derive/documents/player-tournaments.ts';
import { playersInDocument } from './in-documents.ts';

// published.player_tournament has no index by tournament. The stored documents of a tournament say which
// players it has.

export interface PlayerTournamentKey {
  tournament: string;
  startDate: string;
  player: string;
}

/** The rows by player id. */
export type StoredPlayers = Map<string, PlayerTournamentRow>;

export async function readPlayerTournaments(
  client: ClientBase,
  keys: PlayerTournamentKey[],
): Promise<(PlayerTournamentRow & { tournament: string })[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<PlayerTournamentRow & { tournament: string }>({
    text: `select t.tournament, ${columns}
      from unnest($1::text[], $2::date[], $3::text[]) as key (player, start_date, tournament)
      join published.player_tournament t
        on t.player = key.player and t.start_date = key.start_date and t.tournament = key.tournament`,
    values: [
      keys.map(({ player }) => player),
      keys.map(({ startDate }) => startDate),
      keys.map(({ tournament }) => tournament),
    ],
  });
  return rows;
}

/**
 * Reads the rows in one tournament of the players that these battles name, either as published or in
 * `players`. A player without a row is only in `named`.
 */
export async function readPlayersOfBattles(
  client: ClientBase,
  { tournament, startDate }: Omit<PlayerTournamentKey, 'player'>,
  battles: string[],
  players: string[],
): Promise<{ named: Set<string>; stored: StoredPlayers }> {
  const { rows } = await client.query<{ named: string } & (PlayerTournamentRow | { player: null })>({
    text: `select named, ${columns} from (
        select unnest(${playersInDocument}) as named from published.battle where id = any($1::text[])
        union select unnest($2::text[])) as shown
      left join published.player_tournament t
        on t.player = named and t.start_date = $3::date and t.tournament = $4`,
    values: [battles, players, startDate, tournament],
  });
  const stored: StoredPlayers = new Map();
  for (const { named, ...row } of rows) if (row.player !== null) stored.set(named, row);
  return { named: new Set(rows.map(({ named }) => named)), stored };
}

const shown = documentTables.player_tournament.rest;
const columns = ['player', ...shown].map((column) => `t.${column}`).join(', ');

interface Version {
  startDate: string | null;
  players: Iterable<PlayerTournamentRow>;
}

/**
 * Adds the differences to `changes`. Moves the revision of each player whose tournament, placement, faction,
 * club or record changed.
 */
export function comparePlayers(
  changes: Changes,
  tournament: string,
  stored: { startDate: string; players: StoredPlayers } | undefined,
  fresh: Version | undefined,
): void {
  const start = fresh?.startDate ?? '-infinity';
  const gone = new Map(stored?.players);
  for (const row of fresh?.players ?? []) {
    const { player } = row;
    const before = gone.get(player);
    gone.delete(player);
    if (before && stored?.startDate === start && isSame(before, row)) continue;
    if (before && stored)
      changes.remove('player_tournament', { player, start_date: stored.startDate, tournament });
    else changes.named.gained.add(player);
    changes.add('player_tournament', { start_date: start, tournament, ...row });
    changes.moved.players.add(player);
  }
  for (const player of gone.keys()) {
    changes.remove('player_tournament', { player, start_date: stored?.startDate ?? '', tournament });
    changes.named.lost.add(player);
    changes.moved.players.add(player);
  }
}

function isSame(a: PlayerTournamentRow, b: PlayerTournamentRow): boolean {
  return shown.every((column) => a[column] === b[column]);
}
