// Merges all stages into one table: the knockout, then placement-swiss, then the Swiss order, then no-shows.
import type { ParticipantFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import type { Board, Ranked } from './board.ts';
import { knockoutOrder } from '../brackets/knockout-order.ts';
import { alphabetically } from '../fragments/people.ts';
import type { Tallies } from './tally.ts';
import { inOrder } from './tie-break.ts';

/** Returns each participant once, in the order shown. `merged` has the sums over all stages. */
export function finalStandings(
  facts: TournamentOutline,
  boards: ReadonlyMap<string, Board>,
  merged: Tallies,
): Ranked[] {
  const absent = alphabetically(
    facts.participants.filter(({ noShow }) => noShow),
    ({ id }) => id,
  );
  const present = facts.participants.filter(({ noShow }) => !noShow);
  const recorded = hasRecordedPlacements(facts);
  const isRanked = [...boards.values()].some((board) => (board.recorded?.ranks.size ?? 0) > 0);
  if (!recorded && !isRanked && !merged.begun && facts.matches.every(({ winner }) => winner === null)) {
    return [...alphabetically(present, ({ id }) => id), ...absent].map((participant) => ({
      participant,
      rank: null,
    }));
  }
  const order = mergedOrder(facts, present, boards, merged);
  if (recorded) return asRecorded([...order.map(({ participant }) => participant), ...absent]);
  const ranked = order.filter(({ shared }) => shared !== noRank);
  const standings: Ranked[] = [];
  for (const [index, { participant, shared }] of ranked.entries()) {
    const isTied = shared !== undefined && shared === ranked[index - 1]?.shared;
    standings.push({ participant, rank: isTied ? (standings[index - 1]?.rank ?? null) : index + 1 });
  }
  const others = order.filter(({ shared }) => shared === noRank).map(({ participant }) => participant);
  return [...standings, ...[...others, ...absent].map((participant) => ({ participant, rank: null }))];
}

export function hasRecordedPlacements({ placementsRecorded, participants }: TournamentOutline): boolean {
  return placementsRecorded && participants.some(({ finalPlacement }) => finalPlacement !== null);
}

/** Recorded placements stay as they are. Participants without one have no rank and come last. */
function asRecorded(order: ParticipantFacts[]): Ranked[] {
  return order
    .map((participant) => ({ participant, rank: participant.finalPlacement }))
    .toSorted((a, b) => (a.rank ?? unranked) - (b.rank ?? unranked));
}

interface Placed {
  participant: ParticipantFacts;
  /**
   * Participants with the same text share a rank that the organiser recorded, so they also share the
   * placement.
   */
  shared: string | undefined;
}

/** Marks a participant whom the organiser gave no rank on the board that decides. */
const noRank = '';

function mergedOrder(
  facts: TournamentOutline,
  present: ParticipantFacts[],
  boards: ReadonlyMap<string, Board>,
  merged: Tallies,
): Placed[] {
  const left = new Map(present.map((participant) => [participant.id, participant]));
  const placed: Placed[] = [];
  const addPlacement = (ids: Iterable<string>, board?: string): void => {
    const recorded = boards.get(board ?? '')?.recorded;
    const isGrouped = facts.stages.some(({ id, grouped }) => id === board && grouped);
    for (const id of ids) {
      const participant = left.get(id);
      const rank = recorded?.ranks.get(id);
      const own = rank === undefined ? noRank : isGrouped ? undefined : `${board} ${rank}`;
      if (participant && left.delete(id)) placed.push({ participant, shared: recorded && own });
    }
  };
  const swiss = swissOrder(facts, boards.get('swiss'));
  addPlacement(knockoutOrder(facts, left, swiss));
  const placementSwiss = boards.get('placement-swiss')?.merits ?? [];
  addPlacement(
    placementSwiss.map(({ participant }) => participant.id),
    'placement-swiss',
  );
  addPlacement(swiss, 'swiss');
  const others = [...left.values()].map(({ id, lot }) => ({ id, lot, earlierRank: null }));
  addPlacement(inOrder(others, facts.tieBreaks, merged).map(({ id }) => id));
  return placed;
}

/**
 * Puts the whole Swiss stage into one order. If there are groups, the tie-breaks order everybody who is first
 * in a group, then everybody who is second, and so on.
 */
function swissOrder(facts: TournamentOutline, board: Board | undefined): string[] {
  if (!board) return [];
  const byRank = Map.groupBy(board.merits, ({ rank }) => rank);
  const ranks = [...byRank.keys()].toSorted((a, b) => a - b);
  return ranks.flatMap((rank) => {
    const level = (byRank.get(rank) ?? []).map(({ participant }) => participant);
    const contenders = level.map(({ id, lot }) => ({ id, lot, earlierRank: null }));
    return inOrder(contenders, facts.tieBreaks, board.tallies).map(({ id }) => id);
  });
}
const unranked = Number.MAX_SAFE_INTEGER;
