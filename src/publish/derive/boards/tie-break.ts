// Orders contenders by the tournament's tie-break list, then by the rank on an earlier board, then by the lot.
import type { TieBreak } from '../../../record/facts/tournament-header.ts';
import { compareText } from '../../../text/fold.ts';
import type { Decider } from '../now/play-shape.ts';
import type { Tallies } from './tally.ts';

export interface Decided {
  /** What put this one below the one before. Null for the first. */
  decidedBy: Decider | null;
}

export interface Contender {
  id: string;
  lot: number;
  /** Null when there is no earlier board, or no rank on it. */
  earlierRank: number | null;
}

/** Contenders who are still tied, and what put them below those before. */
interface Run<Somebody> {
  some: Somebody[];
  decidedBy: Decider | null;
}

/** Best first. Each criterion splits only the contenders who are still tied after the criteria before it. */
export function inOrder<Somebody extends Contender>(
  contenders: readonly Somebody[],
  tieBreaks: readonly TieBreak[],
  tallies: Tallies,
): (Somebody & Decided)[] {
  let runs: Run<Somebody>[] = [{ some: [...contenders], decidedBy: null }];
  for (const tieBreak of tieBreaks) {
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
  const valued = some.map((somebody) => ({ somebody, value: valueOf(somebody.id, tieBreak, tallies) }));
  valued.sort((a, b) => compareFractions(b.value, a.value));
  const runs: Somebody[][] = [];
  let before: Fraction | undefined;
  for (const { somebody, value } of valued) {
    if (before && compareFractions(before, value) === 0) runs.at(-1)?.push(somebody);
    else runs.push([somebody]);
    before = value;
  }
  return runs;
}

/** We compare means as fractions: division could make different means equal, or equal means different. */
interface Fraction {
  sum: number;
  of: number;
}

function compareFractions(a: Fraction, b: Fraction): number {
  return a.sum * b.of - b.sum * a.of;
}

function valueOf(id: string, tieBreak: Exclude<TieBreak, 'headToHead'>, tallies: Tallies): Fraction {
  if (tieBreak === 'opponentsBattlePoints') return opponentsBattlePoints(id, tallies);
  return { sum: tallies.of(id)[tieBreak], of: 1 };
}

/** The mean per battle, without byes, so that a bye neither helps nor harms. 0 without opponents. */
export function opponentsBattlePoints(id: string, tallies: Tallies): Fraction {
  const { games } = tallies.of(id);
  let sum = 0;
  for (const { opponent } of games) sum += tallies.of(opponent).battlePoints;
  return { sum, of: Math.max(games.length, 1) };
}
