// Brackets: the knockout, and the small ones that decide the placements below it.
import type { EventParticipant } from './participants.ts';
import { bracketRounds } from './format.ts';
import { type EventSoFar, playBattle } from './event-so-far.ts';
import { at } from '../chance/random.ts';
import { eventStream } from './setup.ts';

export interface Knockout {
  /**
   * Best first: the champion, the other finalist, then the others by the round in which they lost, latest
   * first.
   */
  readonly order: EventParticipant[];
  readonly placementStages: { id: string; rounds: number; members: EventParticipant[] }[];
}

/** Plays the knockout. `seeds` are sorted, best first. */
export function playKnockout(
  soFar: EventSoFar,
  seeds: readonly EventParticipant[],
  firstSession: number,
): Knockout {
  const size = 2 ** bracketRounds(seeds.length);
  let field: (EventParticipant | undefined)[] = seedOrder(size).map((seed) => seeds[seed - 1]);
  const outByRound: EventParticipant[][] = [];
  for (let round = 1; field.length > 1; round++) {
    const out: EventParticipant[] = [];
    field = halves(field).map(([first, second], index) => {
      // A bye in a bracket is not a match.
      if (!first || !second) return first ?? second;
      const better = seeds.indexOf(first) < seeds.indexOf(second) ? first : second;
      const slot = {
        round,
        position: index + 1,
        session: firstSession + round - 1,
        left: bracketRounds(field.length) - 1,
      };
      const winner = playMatch(soFar, 'knockout', slot, [better, better === first ? second : first]);
      out.push(winner === first ? second : first);
      return winner;
    });
    outByRound.push(out.toSorted((a, b) => seeds.indexOf(a) - seeds.indexOf(b)));
  }
  const champion = at(field, 0);
  if (!champion) throw new Error('a bracket without players');
  return settle(soFar, champion, outByRound, firstSession);
}

// Players who lost in the same round are ordered by their own bracket if the event has one, otherwise by
// seed.
function settle(
  soFar: EventSoFar,
  champion: EventParticipant,
  outByRound: EventParticipant[][],
  firstSession: number,
): Knockout {
  const order = [champion];
  const placementStages: Knockout['placementStages'] = [];
  for (const [index, out] of [...outByRound.entries()].toReversed()) {
    const placement = order.length + 1;
    const power = 2 ** bracketRounds(out.length) === out.length;
    if (!soFar.setup.format.placements || out.length < 2 || !power) {
      order.push(...out);
      continue;
    }
    const id =
      out.length === 2 ? `placement-${placement}` : `placement-${placement}-${placement + out.length - 1}`;
    placementStages.push({ id, rounds: bracketRounds(out.length), members: out });
    order.push(...playPlacements(soFar, id, out, firstSession + index + 1));
  }
  return { order, placementStages };
}

// All of them play every round: winners for the upper placements, losers for the lower ones.
function playPlacements(
  soFar: EventSoFar,
  stage: string,
  participants: readonly EventParticipant[],
  firstSession: number,
): EventParticipant[] {
  let groups: EventParticipant[][] = [[...participants]];
  for (let round = 1; at(groups, 0).length > 1; round++) {
    let position = 0;
    groups = groups.flatMap((group) => {
      const won: EventParticipant[] = [];
      const lost: EventParticipant[] = [];
      for (let i = 0; i < group.length / 2; i++) {
        const pairing: [EventParticipant, EventParticipant] = [at(group, i), at(group, group.length - 1 - i)];
        const slot = {
          round,
          position: ++position,
          session: firstSession + round - 1,
          left: bracketRounds(group.length) - 1,
        };
        const winner = playMatch(soFar, stage, slot, pairing);
        won.push(winner);
        lost.push(winner === pairing[0] ? pairing[1] : pairing[0]);
      }
      return [won, lost];
    });
  }
  return groups.flat();
}

interface MatchSlot {
  readonly round: number;
  readonly position: number;
  readonly session: number;
  /** The number of rounds in the bracket after this one. */
  readonly left: number;
}

/** Returns the player who advances. After a draw this is the first of the two, who has the better seed. */
function playMatch(
  soFar: EventSoFar,
  stage: string,
  slot: MatchSlot,
  [first, second]: [EventParticipant, EventParticipant],
): EventParticipant {
  const { round, position, session } = slot;
  const random = eventStream(soFar.setup, `match ${stage}`, round, position);
  // The small brackets use the tables after those of the knockout.
  const table = position + (stage === 'knockout' ? 0 : 20);
  const walkover = random.chance(0.03);
  const battle = walkover ? undefined : playBattle(soFar, { stage, round, table, session }, first, second);
  const winner = battle ? (battle.winner === second.id ? second : first) : random.pick([first, second]);
  const name = soFar.setup.habits.roundNames && stage === 'knockout' ? roundName(slot.left) : undefined;
  soFar.matches.push({
    stage,
    round,
    position,
    ...(name === undefined ? {} : { name }),
    table,
    players: [first.id, second.id],
    winner: winner.id,
    ...(battle ? { battle: battle.id } : {}),
  });
  return winner;
}

function roundName(left: number): string | undefined {
  return ['Grand Final', 'Semi-finals', 'Quarter-finals', 'Last sixteen'][left];
}

/**
 * Returns the seeds in bracket order, such as 1, 8, 4, 5, 2, 7, 3, 6, so that the best two can meet only in
 * the final.
 */
function seedOrder(size: number): number[] {
  let order = [1];
  while (order.length < size) {
    const sum = order.length * 2 + 1;
    order = order.flatMap((seed) => [seed, sum - seed]);
  }
  return order;
}

function halves<T>(field: readonly T[]): [T, T][] {
  return Array.from({ length: field.length / 2 }, (_, i) => [field[2 * i] as T, field[2 * i + 1] as T]);
}
