import { type FactionCounts, type FactionSum, FactionSums, type Score } from './faction-sums.ts';

/** A win rate in per cent, with its Wilson interval at 95 %. */
export interface WinRate extends Score {
  games: number;
  rate: number;
  low: number;
  high: number;
  /**
   * `few` means too few battles to say anything. Otherwise it says whether the whole interval is above or
   * below 50 %.
   */
  says: 'few' | 'above' | 'below' | 'either';
}

/** With fewer battles than this, a win rate is grey. */
export const enough = 30;
const z = 1.959963984540054;

/**
 * Computes the win rate, in which a draw is half a win. Without battles, the interval is everything from 0 to
 * 100 %.
 */
export function winRate({ wins, draws, losses }: Score): WinRate {
  const games = wins + draws + losses;
  const rate = games === 0 ? 0.5 : (wins + draws / 2) / games;
  const n = Math.max(games, Number.MIN_VALUE);
  const middle = (rate + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((rate * (1 - rate)) / n + z ** 2 / (4 * n ** 2));
  const low = games === 0 ? 0 : 100 * Math.max(0, middle - half);
  const high = games === 0 ? 100 : 100 * Math.min(1, middle + half);
  return { wins, draws, losses, games, rate: 100 * rate, low, high, says: whatSays(games, low, high) };
}

/** Judges the whole numbers that are shown, so that an interval shown as "24–50" is not marked. */
function whatSays(games: number, low: number, high: number): WinRate['says'] {
  if (games < enough) return 'few';
  if (Math.round(low) > 50) return 'above';
  return Math.round(high) < 50 ? 'below' : 'either';
}

export interface RatedFaction extends FactionSum {
  rated: WinRate;
}

/** Sorts the strongest first, and those with too few battles last. */
export function byStrength<T extends { rated: WinRate }>(factions: readonly T[]): T[] {
  const isFew = ({ rated }: T) => Number(rated.says === 'few');
  return factions.toSorted((a, b) => isFew(a) - isFew(b) || b.rated.rate - a.rated.rate);
}

/** Adds up some months, and returns the factions with the strongest first. */
export function ratedFactions(rows: readonly { counts: FactionCounts | null }[]): RatedFaction[] {
  const sums = new FactionSums();
  for (const { counts } of rows) if (counts !== null) sums.add(counts);
  return byStrength(sums.all.map((sum) => ({ ...sum, rated: winRate(sum) })));
}

/**
 * Returns how far an axis reaches on both sides of 50: the smallest multiple of five, but at least 15, that
 * covers every interval from enough battles.
 */
export function reachOf(rates: readonly WinRate[]): number {
  const ends = rates.filter(({ says }) => says !== 'few').flatMap(({ low, high }) => [50 - low, high - 50]);
  return Math.min(50, 5 * Math.ceil(Math.max(15, ...ends) / 5));
}
