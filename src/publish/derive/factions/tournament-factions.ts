// Derives what a finished tournament with a date adds to the faction statistics of its month.
import type { TournamentOutline } from '../../../record/facts/facts.ts';
import type { Ranked } from '../boards/board.ts';
import { factionGames } from './faction.ts';
import { FactionSums } from '../../../published/faction-sums.ts';

export interface TournamentFactions {
  startDate: string;
  /** Empty if the tournament has no battle pack. */
  pack: string;
  isLong: boolean;
  /** The `FactionCounts` as JSON. */
  counts: string;
  /** The factions in the first rows of the final standings, as JSON. */
  top: string;
}

/** A tournament with at least this many rounds is long. */
const longFrom = 5;
const fewestUnbeaten = 3;
const topRows = 3;

/**
 * Returns null if the tournament does not count. `factions` comes from `rowFactions`. `rows` are those of the
 * final standings.
 */
export function tournamentFactions(
  facts: TournamentOutline,
  factions: ReadonlyMap<string, string>,
  rows: readonly Ranked[],
): TournamentFactions | null {
  if (facts.status !== 'finished' || facts.startDate === null) return null;
  const sums = new FactionSums();
  const unbeaten = unbeatenEntries(facts);
  for (const { id, noShow } of facts.participants) {
    const faction = factions.get(id);
    if (noShow || faction === undefined) continue;
    sums.of(faction).entries += 1;
    if (unbeaten.has(id)) sums.of(faction).unbeaten += 1;
  }
  for (const { first, second, winner } of factionGames(facts, factions)) {
    const [wins, losses] = [Number(winner === 0), Number(winner === 1)];
    sums.addGames(first, second, { wins, draws: 1 - wins - losses, losses });
  }
  // If placements were never recorded, nobody won.
  const ranked = facts.placementsRecorded ? rows.filter(({ rank }) => rank !== null) : [];
  for (const { participant, rank } of ranked) {
    const faction = factions.get(participant.id);
    if (rank === 1 && faction !== undefined) sums.of(faction).eventWins += 1;
  }
  const top = ranked.slice(0, topRows).filter(({ rank }) => rank !== null && rank <= topRows);
  return {
    startDate: facts.startDate,
    pack: facts.battlePack?.name ?? '',
    isLong: facts.stages.reduce((sum, { rounds }) => sum + rounds, 0) >= longFrom,
    counts: JSON.stringify(sums),
    top: JSON.stringify(top.map(({ participant }) => factions.get(participant.id) ?? null)),
  };
}

/**
 * Returns the participants who won all their battles, including mirrors, and at least three. Byes do not
 * count. The feed may send a match without its battle, so a lost match counts as a defeat, too.
 */
function unbeatenEntries({ battles, matches }: TournamentOutline): Set<string> {
  const wins = new Map<string, number>();
  for (const { finished, winner, sides } of battles) {
    if (!finished) continue;
    for (const [index, { participant }] of sides.entries()) {
      if (participant === null) continue;
      wins.set(participant, winner === index ? (wins.get(participant) ?? 0) + 1 : -Infinity);
    }
  }
  for (const { players, winner } of matches)
    if (winner !== null) for (const id of players) if (id !== winner) wins.set(id, -Infinity);
  return new Set([...wins].flatMap(([id, count]) => (count >= fewestUnbeaten ? [id] : [])));
}
