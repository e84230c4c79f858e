import type { Stage } from '../../contract/tournament.ts';
import type { CurrentRound, Leader, Total } from '../../publish/derive/now/play-shape.ts';
import { counted } from '../parts/numbers.ts';

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
export function roundTitle({ rounds }: Pick<Stage, 'rounds'>, now: readonly CurrentRound[]): string {
  if (isOver(now)) return `${shortTitle(now)} over`;
  const last = Math.max(...played(now).map(({ round }) => round));
  const isCounted = now[0]?.names === undefined && rounds !== undefined && rounds >= last;
  return isCounted ? `${shortTitle(now)} of ${rounds}` : shortTitle(now);
}

/** `50 of 51 results in`, of a bracket `2 of 4`. `2 results in` while more games may come. */
export function resultsIn(rounds: Rounds): string {
  const { results, expected } = totalOf(rounds);
  const isBracket = rounds.now[0]?.names !== undefined;
  if (results === 0 && (!isBracket || expected === 1)) return 'no result yet';
  if (expected === null) return `${counted(results, 'result')} in`;
  return `${results} of ${expected}${isBracket ? '' : ' results in'}`;
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
export function badgeWords(stage: Pick<Stage, 'rounds'>, rounds: Rounds): string {
  const title = roundTitle(stage, rounds.now);
  return isOver(rounds.now) ? title : `${title} · ${resultsIn(rounds)}`;
}

export function isOver(now: readonly CurrentRound[]): boolean {
  return now.every((each) => each.isOver);
}

/** What the matches of one round are called together. */
export function roundName(names: readonly string[], matches: number): string {
  const [only = ''] = names;
  return names.length === 1 && matches > 1 ? plural(only) : names.join(', ');
}

function shortTitle(now: readonly CurrentRound[]): string {
  const [first] = now;
  if (first?.names !== undefined) return roundName(first.names, first.games);
  const rounds = played(now).map(({ round }) => round);
  const [from, to] = [Math.min(...rounds), Math.max(...rounds)];
  return from === to ? `Round ${from}` : `Rounds ${from}–${to}`;
}

/** Without the groups that are through, while others play. */
export function played(now: readonly CurrentRound[]): readonly CurrentRound[] {
  return isOver(now) ? now : now.filter((each) => !each.isOver);
}

/** Of the names that we give ourselves. An organiser's own name stays as it is. */
function plural(name: string): string {
  if (/final$/i.test(name)) return `${name}s`;
  return /match$/i.test(name) ? `${name}es` : name;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
