// Reads the column `place` as the organiser's ranking of the Swiss board. At the end of the event it contains
// the placements as well.
import type { RankingEntry } from '../record/feed/tournament-records.ts';
import type { EventFacts } from './event-sheet.ts';
import type { Game } from './games-sheet.ts';
import { participantId } from './ids.ts';
import { type Player, shown } from './players-sheet.ts';

type Ranking = Omit<RankingEntry, 'stage'>;

/**
 * Returns null if the sheet ranks nobody, so that recorded rankings are removed. Returns undefined if they
 * stay because the sheet has the placements of the whole event.
 */
export function rankingOf(
  { status }: EventFacts,
  players: Player[],
  games: Game[],
  numberOf: (game: Game) => number,
): Ranking | null | undefined {
  const isOver = status === 'finished';
  if (isOver && games.some(({ stage }) => stage !== 'swiss')) return undefined;
  const swiss = Map.groupBy(
    games.filter(({ stage }) => stage === 'swiss'),
    numberOf,
  );
  const played = [...swiss].filter(([, own]) => isOver || isComplete(players, own));
  const afterRound = Math.max(0, ...played.map(([round]) => round));
  const ranked = players.flatMap((player) =>
    player.lineOfRow === undefined ? [] : { ...player, rank: player.lineOfRow },
  );
  if (afterRound === 0 || ranked.length === 0) return null;
  if (isUnclear(ranked, games)) return null;
  return {
    afterRound,
    ranks: ranked.map((player) => ({
      participant: participantId(player.no),
      rank: rankInGroup(player, ranked),
    })),
  };
}

type RankedPlayer = Player & { rank: number };

/**
 * Returns true if a round is complete: all its games have a result, and everybody has a game. One player of a
 * group may have none, because not every organiser enters byes.
 */
function isComplete(players: Player[], games: Game[]): boolean {
  if (games.some(({ second, outcome }) => second && !outcome)) return false;
  const busy = new Set(games.flatMap(({ first, second }) => [first.no, ...(second ? [second.no] : [])]));
  const free = players.filter(({ no, dropped, noShow }) => !dropped && !noShow && !busy.has(no));
  return [...Map.groupBy(free, ({ group }) => group).values()].every((waiting) => waiting.length === 1);
}

/** Returns the rank within a group. If the sheet ranks all groups together, it is counted from that order. */
function rankInGroup({ group, rank }: RankedPlayer, all: RankedPlayer[]): number {
  const fields = Map.groupBy(all, (each) => each.group);
  if ([...fields.values()].every((field) => field.some((each) => each.rank === 1))) return rank;
  return 1 + (fields.get(group) ?? []).filter((each) => each.rank < rank).length;
}

/**
 * Notes why a ranking cannot be sent. It refuses nothing, because results must arrive even while the ranks
 * are being entered. If two players share a rank at the cut, a feed would need seeds, which a sheet does not
 * have.
 */
function isUnclear(ranked: RankedPlayer[], games: Game[]): boolean {
  const first = ranked.reduce((best, each) => (each.rank < best.rank ? each : best));
  const leftOut = 'the places were left out, because';
  if (first.rank > 1) {
    first.row.note(`${leftOut} the best of them is ${first.rank}`, 'place');
    return true;
  }
  const inKnockout = new Set(
    games.flatMap(({ stage, first: one, second }) => (stage === 'knockout' ? [one.no, second?.no] : [])),
  );
  for (const player of ranked) {
    const { no, rank, group, row } = player;
    if (!inKnockout.has(no)) continue;
    const other = ranked.find(
      (each) => each.rank === rank && each.group === group && !inKnockout.has(each.no),
    );
    if (other === undefined) continue;
    row.note(
      `${leftOut} ${shown(player)}, who is in the knockout, shares place ${rank} with ${shown(other)}`,
      'place',
    );
    return true;
  }
  return false;
}
