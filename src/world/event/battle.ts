// Plays one battle between two fighters. The better fighter gets a larger share of the field. The share gives
// objectives in each of five rounds, tactics add points, and a fighter who is far behind may concede.
import { logistic } from '../chance/exact-math.ts';
import type { Pack, PointSystem } from '../people/lore.ts';
import { at, type Random } from '../chance/random.ts';

export interface Fighter {
  readonly skill: number;
  /** The strength of the faction in the half-year of the battle. */
  readonly strength: number;
}

interface FoughtRound {
  readonly points: readonly [number, number];
  /** The objective points of the two sides, from 0 to 6. */
  readonly held: readonly [number, number];
  /** True for a side whose tactic succeeded, which gives 4 points. */
  readonly tactic: readonly [boolean, boolean];
  /** The side that had the first turn: 0 or 1. Null if the round was not played because of a concession. */
  readonly priority: 0 | 1 | null;
}

export interface Fought {
  readonly rounds: readonly FoughtRound[];
  readonly victoryPoints: readonly [number, number];
  readonly battlePoints: readonly [number, number];
  readonly winner: 0 | 1 | null;
  readonly victorySize: 'major' | 'minor' | null;
  readonly drops: readonly [number, number];
  /** True for a side whose grand strategy succeeded. It gives no points but decides a tie. */
  readonly grand: readonly [boolean, boolean];
  readonly attacker: 0 | 1;
}

const tacticWorth = 4;
const concededWorth = 10;
const tacticChances = [0.88, 0.84, 0.76, 0.66, 0.58];
const dropWeights = [0.15, 0.3, 0.25, 0.15, 0.1, 0.05];

export function fight(
  random: Random,
  first: Fighter,
  second: Fighter,
  pack: Pack,
  scoring: PointSystem,
): Fought {
  const drops = [1 + random.weighted(dropWeights), 1 + random.weighted(dropWeights)] as const;
  const edge = 0.45 * advantage(first, second) + 0.55 * random.normal();
  const points: [number, number] = [0, 0];
  const rounds: FoughtRound[] = [];
  let conceded = false;
  for (let round = 0; round < 5; round++) {
    const fought = conceded ? concededRound(points) : fightRound(random, round, edge, drops);
    rounds.push(fought);
    points[0] += fought.points[0];
    points[1] += fought.points[1];
    if (round === 2 && Math.abs(points[0] - points[1]) >= 16 && random.chance(0.35)) conceded = true;
  }
  const winner = winnerOf(random, points);
  const size = sizeOf(points, winner, pack);
  return {
    rounds,
    victoryPoints: points,
    battlePoints: battlePoints(points, winner, size, scoring),
    winner,
    victorySize: size,
    drops,
    grand: grandStrategies(random, points, winner),
    attacker: random.chance(0.5) ? 0 : 1,
  };
}

/** Returns how much better the first fighter is. Above 0, the first is the favourite. */
function advantage(first: Fighter, second: Fighter): number {
  return 0.9 * (first.skill - second.skill) + 0.35 * (first.strength - second.strength);
}

function fightRound(
  random: Random,
  round: number,
  edge: number,
  drops: readonly [number, number],
): FoughtRound {
  const share = logistic(edge + 0.7 * random.normal());
  const chance = at(tacticChances, round);
  const field = [held(random, share), held(random, 1 - share)] as const;
  const tactic = [random.chance(chance + 0.1 * edge), random.chance(chance - 0.1 * edge)] as const;
  return {
    points: [field[0] + (tactic[0] ? tacticWorth : 0), field[1] + (tactic[1] ? tacticWorth : 0)],
    held: field,
    tactic,
    priority: priority(random, round, drops),
  };
}

/** Gives the leader the points of a round that is not played. */
const concededRound = ([first, second]: readonly [number, number]): FoughtRound => ({
  points: first > second ? [concededWorth, 0] : [0, concededWorth],
  held: [0, 0],
  tactic: [false, false],
  priority: null,
});

function held(random: Random, share: number): number {
  const points = Math.round(6 * Math.min(1, 1.28 * share) + 0.5 * random.normal());
  return Math.max(0, Math.min(6, points));
}

// In round 1 the side with fewer drops usually goes first. Later the dice decide.
function priority(random: Random, round: number, drops: readonly [number, number]): 0 | 1 {
  const even = round > 0 || drops[0] === drops[1];
  const likely = drops[0] < drops[1] ? 0 : 1;
  if (even) return random.chance(0.5) ? 0 : 1;
  return random.chance(0.7) ? likely : ((1 - likely) as 0 | 1);
}

function winnerOf(random: Random, [first, second]: readonly [number, number]): 0 | 1 | null {
  if (first !== second) return first > second ? 0 : 1;
  if (!random.chance(0.6)) return null;
  return random.chance(0.5) ? 0 : 1;
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

// In a tie that was decided, only the winner succeeded. In a draw both sides have the same result.
function grandStrategies(
  random: Random,
  points: readonly [number, number],
  winner: 0 | 1 | null,
): readonly [boolean, boolean] {
  if (winner === null) {
    const both = random.chance(0.5);
    return [both, both];
  }
  if (points[0] === points[1]) return [winner === 0, winner === 1];
  return [random.chance(winner === 0 ? 0.65 : 0.4), random.chance(winner === 1 ? 0.65 : 0.4)];
}
