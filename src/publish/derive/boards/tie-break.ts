// Orders contenders by the tournament's tie-break list, then by the rank on an earlier board, then by the
// lot.
import type { TieBreak } from '../../../record/facts/tournament-header.ts';
import { compareText } from '../../../text/fold.ts';
import type { Decider } from '../../../published/views.ts';
import type { Tallies } from './tally.ts';

export interface Decided {
  /** The criterion that put this contender below the one before. Null for the first. */
  decidedBy: Decider | null;
}

export interface Contender {
  id: string;
  lot: number;
  /** Null if there is no earlier board, or no rank on it. */
  earlierRank: number | null;
}

/** Contenders who are still tied, and the criterion that put them below those before. */
interface Run<Somebody> {
  some: Somebody[];
  decidedBy: Decider | null;
}

/**
 * Returns the contenders, best first. Each criterion splits only those who are still tied after the criteria
 * before it.
 */
export function inOrder<Somebody extends Contender>(
  contenders: readonly Somebody[],
  tieBreaks: readonly string[],
  tallies: Tallies,
): (Somebody & Decided)[] {
  let runs: Run<Somebody>[] = [{ some: [...contenders], decidedBy: null }];
  // A tie-break that we do not know means that the organiser records the ranking. Then the others only order
  // those who share a rank.
  for (const tieBreak of tieBreaks.filter(isKnown)) {
    runs = runs.flatMap((run) => {
      const { some, decidedBy } = run;
      if (some.length < 2) return [run];
      const parts = tieBreak === 'headToHead' ? splitTwo(some, tallies) : split(some, tieBreak, tallies);
      return parts.map((part, index) => ({ some: part, decidedBy: index === 0 ? decidedBy : tieBreak }));
    });
  }
  return runs.flatMap(({ some, decidedBy }) =>
    some.toSorted(byEarlierRankAndLot).map((each, index, sorted) => {
      const before = sorted[index - 1];
      if (before === undefined) return { ...each, decidedBy };
      return { ...each, decidedBy: rankOf(before) === rankOf(each) ? 'lot' : 'earlierRank' };
    }),
  );
}

function byEarlierRankAndLot(a: Contender, b: Contender): number {
  return rankOf(a) - rankOf(b) || a.lot - b.lot || compareText(a.id, b.id);
}

const rankOf = ({ earlierRank }: Contender): number => earlierRank ?? Number.MAX_SAFE_INTEGER;

/** Head-to-head decides only between exactly two contenders who have met. */
function splitTwo<Somebody extends Contender>(some: Somebody[], tallies: Tallies): Somebody[][] {
  const [first, second, third] = some;
  if (!first || !second || third) return [some];
  let lead = 0;
  for (const { opponent, outcome } of tallies.of(first.id).games) {
    if (opponent !== second.id) continue;
    if (outcome === 'win') lead += 1;
    if (outcome === 'loss') lead -= 1;
  }
  if (lead === 0) return [some];
  return lead > 0 ? [[first], [second]] : [[second], [first]];
}

function split<Somebody extends Contender>(
  some: Somebody[],
  tieBreak: Exclude<TieBreak, 'headToHead'>,
  tallies: Tallies,
): Somebody[][] {
  if (tieBreak === 'opponentsWinRate')
    return splitBy(some, ({ id }) => opponentsWinRate(id, tallies), compareExactFractions);
  return splitBy(some, ({ id }) => measures[tieBreak](id, tallies), compareFractions);
}

function splitBy<Somebody, Value>(
  some: Somebody[],
  valueOf: (somebody: Somebody) => Value,
  compare: (a: Value, b: Value) => number,
): Somebody[][] {
  const valued = some.map((somebody) => ({ somebody, value: valueOf(somebody) }));
  valued.sort((a, b) => compare(b.value, a.value));
  const runs: Somebody[][] = [];
  for (const [index, { somebody, value }] of valued.entries()) {
    const before = valued[index - 1];
    if (before && compare(before.value, value) === 0) runs.at(-1)?.push(somebody);
    else runs.push([somebody]);
  }
  return runs;
}

/**
 * A mean. Means are compared as fractions, because division could make different means equal, or equal means
 * different.
 */
interface Fraction<Whole extends number | bigint = number> {
  sum: Whole;
  of: Whole;
}

function compareFractions(a: Fraction, b: Fraction): number {
  return a.sum * b.of - b.sum * a.of;
}

function compareExactFractions(a: Fraction<bigint>, b: Fraction<bigint>): number {
  const difference = a.sum * b.of - b.sum * a.of;
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

type Measure = (id: string, tallies: Tallies) => Fraction;

const own =
  (key: 'battlePoints' | 'wins' | 'victoryPointsDiff' | 'victoryPoints'): Measure =>
  (id, tallies) => ({ sum: tallies.of(id)[key], of: 1 });

/**
 * Measures the opponents' mean per battle. Byes are left out, so that a bye neither helps nor harms. Without
 * opponents it is 0.
 */
const ofOpponents =
  (key: 'battlePoints' | 'wins'): Measure =>
  (id, tallies) => {
    const { games } = tallies.of(id);
    let sum = 0;
    for (const { opponent } of games) sum += tallies.of(opponent)[key];
    return { sum, of: Math.max(games.length, 1) };
  };

export const opponentsBattlePoints = ofOpponents('battlePoints');
export const opponentsWins = ofOpponents('wins');

const measures: Record<Exclude<TieBreak, 'headToHead' | 'opponentsWinRate'>, Measure> = {
  battlePoints: own('battlePoints'),
  wins: own('wins'),
  victoryPointsDiff: own('victoryPointsDiff'),
  victoryPoints: own('victoryPoints'),
  opponentsBattlePoints,
  opponentsWins,
};

const isKnown = (name: string): name is TieBreak =>
  name === 'headToHead' || name === 'opponentsWinRate' || Object.hasOwn(measures, name);

/**
 * Returns the mean of the opponents' win rates. A draw is half a win, and a winning bye is a win. No rate
 * counts as less than a third, because meeting somebody who loses everything or leaves early must not decide.
 * The sum is over the product of all denominators.
 */
export function opponentsWinRate(id: string, tallies: Tallies): Fraction<bigint> {
  const { games } = tallies.of(id);
  let sum = 0n;
  let of = 1n;
  for (const { opponent } of games) {
    const { wins, draws, losses } = tallies.of(opponent);
    const rate = { sum: 2 * wins + draws, of: 2 * (wins + draws + losses) };
    const { sum: counted, of: played } = compareFractions(rate, lowestRate) < 0 ? lowestRate : rate;
    sum = sum * BigInt(played) + BigInt(counted) * of;
    of *= BigInt(played);
  }
  return { sum, of: of * BigInt(Math.max(games.length, 1)) };
}

const lowestRate: Fraction = { sum: 1, of: 3 };
