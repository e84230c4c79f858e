// Merges all stages into one table: the knockout, then placement-swiss, then the Swiss order, then no-shows.
import type { ParticipantFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import type { Board, Ranked } from './board.ts';
import { knockoutOrder } from '../brackets/knockout-order.ts';
import { alphabetically } from '../documents/people.ts';
import type { Tallies } from './tally.ts';
import { inOrder } from './tie-break.ts';

/** Each participant once, in the order shown. `merged` has the sums over all stages. */
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
  if (!recorded && !merged.begun && facts.matches.every(({ winner }) => winner === null)) {
    return [...alphabetically(present, ({ id }) => id), ...absent].map((participant) => ({
      participant,
      rank: null,
    }));
  }
  const order = [...mergedOrder(facts, present, boards, merged), ...absent];
  if (recorded) return asRecorded(order);
  return order.map((participant, index) => ({ participant, rank: participant.noShow ? null : index + 1 }));
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

function mergedOrder(
  facts: TournamentOutline,
  present: ParticipantFacts[],
  boards: ReadonlyMap<string, Board>,
  merged: Tallies,
): ParticipantFacts[] {
  const left = new Map(present.map((participant) => [participant.id, participant]));
  const placed: ParticipantFacts[] = [];
  const place = (ids: Iterable<string>): void => {
    for (const id of ids) {
      const participant = left.get(id);
      if (participant && left.delete(id)) placed.push(participant);
    }
  };
  const swiss = swissOrder(facts, boards.get('swiss'));
  place(knockoutOrder(facts, left, swiss));
  place(boards.get('placement-swiss')?.merits.map(({ participant }) => participant.id) ?? []);
  place(swiss);
  const others = [...left.values()].map(({ id, lot }) => ({ id, lot, earlierRank: null }));
  place(inOrder(others, facts.tieBreaks, merged).map(({ id }) => id));
  return placed;
}

/** The whole Swiss stage in one order. With groups: all first places by the tie-breaks, then all second ones. */
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
