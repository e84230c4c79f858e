// What a finished and dated tournament adds to the numbers of its month.
import type { TournamentOutline } from '../../../record/facts/facts.ts';
import type { Ranked } from '../boards/board.ts';
import { factionGames } from './faction.ts';
import { FactionSums } from '../../../published/faction-sums.ts';

export interface TournamentFactions {
  startDate: string;
  /** Empty when it has none. */
  pack: string;
  isLong: boolean;
  /** JSON, both of them: `FactionCounts`, and the factions of the first rows of the final standings. */
  counts: string;
  top: string;
}

/** Of rounds. */
const longFrom = 5;
const fewestUnbeaten = 3;
const topRows = 3;

/** `factions` comes from `rowFactions`. `rows` are those of the final standings. */
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
  // Where no placement was ever recorded, nobody won.
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

/** Who won every game, mirrors included, and at least three. Byes are no games. A match may be told without its battle. */
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
