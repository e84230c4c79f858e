import type { TournamentOutline } from '../../../record/facts/facts.ts';
// Orders the players of the knockout by the round they reached. Players who lost in the same round are
// ordered by the placement bracket for their placements if there is one, otherwise by seed, otherwise by
// Swiss rank.
import { bandOf } from './round-title.ts';
import { compareText } from '../../../text/fold.ts';

/**
 * Returns the participants of the knockout in order. `swiss` is the whole Swiss order. Participants who are
 * not in `present` are left out.
 */
export function knockoutOrder(
  facts: TournamentOutline,
  present: ReadonlyMap<string, { lot: number }>,
  swiss: readonly string[],
): string[] {
  const reached = roundsReached(facts);
  const participants = [...reached.keys()].filter((id) => present.has(id));
  const byRound = Map.groupBy(participants, (id) => reached.get(id) ?? 0);
  const brackets = placementBrackets(facts);
  const bySeed = seedOrder(facts, present, swiss);
  const order: string[] = [];
  for (const round of [...byRound.keys()].toSorted((a, b) => b - a)) {
    order.push(...bandOrder(byRound.get(round) ?? [], order.length + 1, brackets, bySeed));
  }
  return order;
}

/**
 * Returns the round in which each player lost, and one more than the last round for the winner. Only the
 * first defeat counts, so that a match for third place inside the knockout lifts no player above the
 * finalists.
 */
function roundsReached({ stages, matches, byes }: TournamentOutline): Map<string, number> {
  const alive = new Map<string, number>();
  const out = new Map<string, number>();
  const reach = (id: string, round: number): void => {
    alive.set(id, Math.max(alive.get(id) ?? 0, round));
  };
  for (const { stage, round, players, winner } of matches) {
    if (stage !== 'knockout') continue;
    for (const id of players) {
      reach(id, id === winner ? round + 1 : round);
      if (winner !== null && id !== winner) out.set(id, Math.min(out.get(id) ?? round, round));
    }
  }
  for (const { stage, round, participant } of byes) if (stage === 'knockout') reach(participant, round + 1);
  for (const [id, round] of out) alive.set(id, round);
  // A participant of the knockout who never had a match comes last in it, unless they are in the placement
  // Swiss.
  const placementSwiss = stages.find(({ id }) => id === 'placement-swiss');
  const elsewhere = new Set(placementSwiss?.members.map(({ participant }) => participant));
  for (const { participant } of stages.find(({ id }) => id === 'knockout')?.members ?? []) {
    if (!elsewhere.has(participant)) reach(participant, 0);
  }
  return alive;
}

interface PlacementBracket {
  /** The first placement that it decides. */
  first: number;
  /**
   * The defeats of each participant. Fewer are better, and a defeat weighs more than all defeats of later
   * rounds together.
   */
  defeats: Map<string, number>;
}

/** Returns the brackets in the order of their first placement, the larger bracket first. */
function placementBrackets({ stages, matches, byes }: TournamentOutline): PlacementBracket[] {
  const brackets = new Map<string, PlacementBracket & { size: number }>();
  for (const { id, rounds } of stages) {
    const band = bandOf(id, rounds);
    if (band) brackets.set(id, { first: band.first, size: band.size, defeats: new Map() });
  }
  for (const { stage, round, players, winner } of matches) {
    for (const id of players) {
      const defeats = brackets.get(stage)?.defeats;
      const weight = winner !== null && winner !== id ? 2 ** -round : 0;
      defeats?.set(id, (defeats.get(id) ?? 0) + weight);
    }
  }
  for (const { stage, participant } of byes) {
    const defeats = brackets.get(stage)?.defeats;
    defeats?.set(participant, defeats.get(participant) ?? 0);
  }
  return [...brackets.values()].toSorted((a, b) => a.first - b.first || b.size - a.size);
}

/** Orders the players who share the placements from `first` on. */
function bandOrder(
  players: string[],
  first: number,
  brackets: readonly PlacementBracket[],
  bySeed: (a: string, b: string) => number,
): string[] {
  if (players.length < 2) return players;
  const index = brackets.findIndex(
    (each) =>
      each.first >= first &&
      each.first < first + players.length &&
      players.some((id) => each.defeats.has(id)),
  );
  const bracket = brackets[index];
  if (!bracket) return players.toSorted(bySeed);
  const others = brackets.toSpliced(index, 1);
  const outside = players.filter((id) => !bracket.defeats.has(id));
  const inside = Map.groupBy(
    players.filter((id) => bracket.defeats.has(id)),
    (id) => bracket.defeats.get(id) ?? 0,
  );
  const settled = [...inside].toSorted(([a], [b]) => a - b).map(([, tied]) => tied);
  const parts = bracket.first > first ? [outside, ...settled] : [...settled, outside];
  const order: string[] = [];
  for (const part of parts) order.push(...bandOrder(part, first + order.length, others, bySeed));
  return order;
}

function seedOrder(
  { stages }: TournamentOutline,
  present: ReadonlyMap<string, { lot: number }>,
  swiss: readonly string[],
): (a: string, b: string) => number {
  const knockout = stages.find(({ id }) => id === 'knockout');
  const seeds = new Map(knockout?.members.map(({ participant, seed }) => [participant, seed ?? last]));
  const ranks = new Map(swiss.map((id, index) => [id, index]));
  return (a, b) =>
    (seeds.get(a) ?? last) - (seeds.get(b) ?? last) ||
    (ranks.get(a) ?? last) - (ranks.get(b) ?? last) ||
    (present.get(a)?.lot ?? 0) - (present.get(b)?.lot ?? 0) ||
    compareText(a, b);
}
const last = Number.MAX_SAFE_INTEGER;
