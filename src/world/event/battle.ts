// Plays one battle between two fighters. The better fighter gets a larger share of the field. The share gives
// objectives in each of five rounds, and tactics add points.
import type { Pack, PointSystem } from '../people/lore.ts';
import type { Random } from '../chance/random.ts';

export interface Fighter {
  readonly skill: number;
  /** The strength of the faction. */
  readonly strength: number;
}

interface FoughtRound {
  readonly points: readonly [number, number];
  /** The objective points of the two sides, from 0 to 6. */
  readonly held: readonly [number, number];
  /** True for a side whose tactic succeeded, which gives 4 points. */
  readonly tactic: readonly [boolean, boolean];
  /** The side that had the first turn. */
  readonly priority: 0 | 1;
}

export interface Fought {
  readonly rounds: readonly FoughtRound[];
  readonly victoryPoints: readonly [number, number];
  readonly battlePoints: readonly [number, number];
  readonly winner: 0 | 1 | null;
  readonly victorySize: 'major' | 'minor' | null;
  readonly drops: readonly [number, number];
  /** True for a side whose grand strategy succeeded. */
  readonly grand: readonly [boolean, boolean];
  readonly attacker: 0 | 1;
}

const tacticWorth = 4;
const tacticChances = [0.88, 0.84, 0.76, 0.66, 0.58];

export function fight(
  random: Random,
  first: Fighter,
  second: Fighter,
  pack: Pack,
  scoring: PointSystem,
): Fought {
  const edge = 0.45 * advantage(first, second) + 0.55 * random.normal();
  const points: [number, number] = [0, 0];
  const rounds = tacticChances.map((chance) => fightRound(random, chance, edge));
  for (const round of rounds) {
    points[0] += round.points[0];
    points[1] += round.points[1];
  }
  const winner = winnerOf(random, points);
  const size = sizeOf(points, winner, pack);
  return {
    rounds,
    victoryPoints: points,
    battlePoints: battlePoints(points, winner, size, scoring),
    winner,
    victorySize: size,
    drops: [random.between(1, 5), random.between(1, 5)],
    grand: [random.chance(0.5), random.chance(0.5)],
    attacker: eitherSide(random),
  };
}

/** Returns how much better the first fighter is. Above 0, the first is the favourite. */
function advantage(first: Fighter, second: Fighter): number {
  return 0.9 * (first.skill - second.skill) + 0.35 * (first.strength - second.strength);
}

function fightRound(random: Random, chance: number, edge: number): FoughtRound {
  const lead = edge + 0.7 * random.normal();
  // Between 0 and 1. All engines agree on it, as they need not on Math.exp.
  const share = 0.5 + lead / (2 + 2 * Math.abs(lead));
  const field = [held(random, share), held(random, 1 - share)] as const;
  const tactic = [random.chance(chance + 0.1 * edge), random.chance(chance - 0.1 * edge)] as const;
  return {
    points: [field[0] + (tactic[0] ? tacticWorth : 0), field[1] + (tactic[1] ? tacticWorth : 0)],
    held: field,
    tactic,
    priority: eitherSide(random),
  };
}

function held(random: Random, share: number): number {
  const points = Math.round(6 * Math.min(1, 1.28 * share) + 0.5 * random.normal());
  return Math.max(0, Math.min(6, points));
}

function eitherSide(random: Random): 0 | 1 {
  return random.chance(0.5) ? 0 : 1;
}

function winnerOf(random: Random, [first, second]: readonly [number, number]): 0 | 1 | null {
  if (first !== second) return first > second ? 0 : 1;
  return random.chance(0.6) ? eitherSide(random) : null;
}

function sizeOf(
  points: readonly [number, number],
  winner: 0 | 1 | null,
  pack: Pack,
): 'major' | 'minor' | null {
  if (winner === null || !pack.major) return null;
  const won = points[winner];
  const lost = points[winner === 0 ? 1 : 0];
  return won > lost && pack.major(won, lost) ? 'major' : 'minor';
}

function battlePoints(
  points: readonly [number, number],
  winner: 0 | 1 | null,
  size: 'major' | 'minor' | null,
  scoring: PointSystem,
): readonly [number, number] {
  const [won, lost] = awarded(Math.abs(points[0] - points[1]), winner === null, size, scoring);
  return winner === 1 ? [lost, won] : [won, lost];
}

function awarded(
  difference: number,
  drawn: boolean,
  size: 'major' | 'minor' | null,
  scoring: PointSystem,
): readonly [number, number] {
  if (scoring === '3/1/0') return drawn ? [1, 1] : [3, 0];
  if (scoring === '6/5/2/1/0') {
    if (drawn) return [2, 2];
    return size === 'major' ? [6, 0] : [5, 1];
  }
  if (drawn) return [10, 10];
  const won = Math.min(20, 11 + Math.floor(difference / 4));
  return [won, 20 - won];
}
