import type { Stage } from '../../contract/tournament.ts';
import type { CurrentRound, Leader, Total } from '../../publish/derive/now/play-shape.ts';
import type { Words } from '../words/en.ts';
import { matchName } from '../words/stored.ts';

/** The rounds that a stage is in: one, or one for each group. */
export interface Rounds {
  now: readonly CurrentRound[];
  /** Undefined when a version before has published it. */
  total?: Total | undefined;
}

/** A stage that is played. */
export interface PlayedStage extends Rounds {
  stage: string;
  /** How many results it has, of all rounds. Null when a version before has published it. */
  results: number | null;
  /** How many results the play has gone past. */
  missing: number;
  /** Null when a version before has published it. */
  leaders: readonly Leader[] | null;
}

/** `Round 2 of 5`, `Rounds 1–2 of 3`, `Quarter-finals`, `Round 2 over` */
export function roundTitle(
  words: Words,
  { rounds }: Pick<Stage, 'rounds'>,
  now: readonly CurrentRound[],
): string {
  const title = shortTitle(words, now);
  if (isOver(now)) return words.rounds.over(title);
  const last = Math.max(...played(now).map(({ round }) => round));
  const isCounted = now[0]?.names === undefined && rounds !== undefined && rounds >= last;
  return isCounted ? words.rounds.ofRounds(title, rounds) : title;
}

/** `50 of 51 results in`, of a bracket `2 of 4`. `2 results in` while more games may come. */
export function resultsIn({ rounds: said }: Words, rounds: Rounds): string {
  const { results, expected } = totalOf(rounds);
  const isBracket = rounds.now[0]?.names !== undefined;
  if (results === 0 && (!isBracket || expected === 1)) return said.noResultYet;
  if (expected === null) return said.resultsIn(results);
  return isBracket ? said.of(results, expected) : said.resultsOfIn(results, expected);
}

export function totalOf({ now, total }: Rounds): Total {
  return (
    total ?? {
      results: sum(played(now).map((each) => each.results)),
      expected: sum(played(now).map((each) => each.games)),
    }
  );
}

/** What a badge says: `Round 2 of 5 · 50 of 51 results in`, `Quarter-finals · 2 of 4`, `Round 2 over`. */
export function badgeWords(words: Words, stage: Pick<Stage, 'rounds'>, rounds: Rounds): string {
  const title = roundTitle(words, stage, rounds.now);
  return isOver(rounds.now) ? title : `${title} · ${resultsIn(words, rounds)}`;
}

export function isOver(now: readonly CurrentRound[]): boolean {
  return now.every((each) => each.isOver);
}

/** What the matches of one round are called together. */
export function roundName(words: Words, names: readonly string[], matches: number): string {
  const areMany = names.length === 1 && matches > 1;
  return names.map((name) => matchName(words, name, areMany)).join(', ');
}

function shortTitle(words: Words, now: readonly CurrentRound[]): string {
  const [first] = now;
  if (first?.names !== undefined) return roundName(words, first.names, first.games);
  const rounds = played(now).map(({ round }) => round);
  const [from, to] = [Math.min(...rounds), Math.max(...rounds)];
  return from === to ? words.rounds.round(from) : words.rounds.roundsTo(from, to);
}

/** Without the groups that are through, while others play. */
export function played(now: readonly CurrentRound[]): readonly CurrentRound[] {
  return isOver(now) ? now : now.filter((each) => !each.isOver);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
