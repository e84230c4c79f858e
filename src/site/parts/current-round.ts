import type { Stage } from '../../contract/tournament.ts';
import type { BattleView, NowView, RoundNow, RoundTitle, Total } from '../../published/views.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';

/** The rounds that a stage is in: one, or one for each group. */
export interface RoundCounts {
  now: readonly RoundNow[];
  total: Total;
}

/** Returns `Round 2 of 5`, `Rounds 1–2 of 3`, `Quarter-finals` or `After round 2 of 5`. */
export function roundTitle(
  words: Words,
  { rounds }: Pick<Stage, 'rounds'>,
  now: readonly RoundNow[],
): string {
  const title = shortTitle(words, now);
  const { last } = roundsIn(now);
  const isCounted = now[0]?.titles === undefined && rounds !== undefined && rounds >= last;
  const isOfSeveral = isCounted && rounds > 1;
  // Groups in different rounds are not all as far as the one that is furthest.
  if (!isOver(now) || areApart(now)) return isCounted ? words.rounds.ofRounds(title, rounds) : title;
  if (now[0]?.titles !== undefined) return words.rounds.over(title);
  return isOfSeveral ? words.rounds.afterOf(last, rounds) : words.rounds.after(last);
}

/** Returns `50 of 51 results in`, or `2 results in` while an unknown number of battles may still come. */
export function resultsIn({ rounds: t }: Words, rounds: RoundCounts): string {
  const { results, expected } = rounds.total;
  const isBracket = rounds.now[0]?.titles !== undefined;
  // A group that has gone on to its next round has results, although none of them is in this total.
  const isFirst = !areApart(rounds.now) && (!isBracket || expected === 1);
  if (results === 0 && isFirst) return t.noResultYet;
  return expected === null ? t.resultsIn(results) : t.resultsOfIn(results, expected);
}

/**
 * Returns the text of a badge: `Round 2 of 5 · 50 of 51 results in`, `Quarter-finals · 2 of 4 results in` or
 * `After round 2 of 5`.
 */
export function badgeWords(words: Words, stage: Pick<Stage, 'rounds'>, rounds: RoundCounts): string {
  const title = roundTitle(words, stage, rounds.now);
  const isTitleEnough = isOver(rounds.now) && !areApart(rounds.now);
  return isTitleEnough ? title : `${title} · ${resultsIn(words, rounds)}`;
}

export function isOver(now: readonly RoundNow[]): boolean {
  return now.every((each) => each.isOver);
}

/** Returns what the matches of a round are called together. */
export function currentRoundName(words: Words, titles: readonly RoundTitle[], matches: number): string {
  const areMany = titles.length === 1 && matches > 1;
  return titles.map((title) => matchName(words, title, areMany)).join(', ');
}

/** Returns the current rounds without the total number of rounds: `Round 2` or `Quarter-finals`. */
export function shortTitle(words: Words, now: readonly RoundNow[]): string {
  const [round] = now;
  if (round?.titles !== undefined) return currentRoundName(words, round.titles, round.games);
  const { first: from, last: to } = roundsIn(now);
  return from === to ? words.rounds.round(from) : words.rounds.roundsTo(from, to);
}

/** Returns the lowest and the highest round that a group is in. */
export function roundsIn(now: readonly RoundNow[]): { first: number; last: number } {
  const rounds = now.map(({ round }) => round);
  return { first: Math.min(...rounds), last: Math.max(...rounds) };
}

/** Returns true if groups are in different rounds, so that no round is true of all of them. */
export function areApart(now: readonly RoundNow[]): boolean {
  const { first, last } = roundsIn(now);
  return first !== last;
}

/** Leaves out the groups that have finished their round while others are still playing. */
export function roundsPlayed(now: readonly RoundNow[]): readonly RoundNow[] {
  return isOver(now) ? now : now.filter((each) => !each.isOver);
}

/** Returns false if the stage of this battle is in another round, in which other players are at its table. */
export const isInCurrentRound = (
  { stage, round }: Pick<BattleView, 'stage' | 'round'>,
  playing: readonly NowView[] | undefined,
): boolean =>
  playing?.some((each) => each.stage === stage && each.now.some((now) => now.round === round)) ?? false;
