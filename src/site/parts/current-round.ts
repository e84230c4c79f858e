import type { Stage } from '../../contract/tournament.ts';
import type { CurrentRound } from '../../publish/derive/play-shape.ts';

/** A stage that is played, with the rounds that it is in: one, or one for each group. */
export interface PlayedStage {
  stage: string;
  now: CurrentRound[];
  /** How many results the play has gone past. */
  missing: number;
}

/** `Round 2 of 5`, `Rounds 1–2 of 3`, `Quarter-finals`, `Round 2 over` */
export function roundTitle({ rounds }: Pick<Stage, 'rounds'>, now: readonly CurrentRound[]): string {
  if (isOver(now)) return `${shortTitle(now)} over`;
  const last = Math.max(...played(now).map(({ round }) => round));
  const isCounted = now[0]?.names === undefined && rounds !== undefined && rounds >= last;
  return isCounted ? `${shortTitle(now)} of ${rounds}` : shortTitle(now);
}

/** `50 of 51 results in`, of a bracket `2 of 4`. */
export function resultsIn(now: readonly CurrentRound[]): string {
  const games = sum(played(now).map((each) => each.games));
  const results = sum(played(now).map((each) => each.results));
  const isBracket = now[0]?.names !== undefined;
  if (results === 0 && (!isBracket || games === 1)) return 'no result yet';
  return `${results} of ${games}${isBracket ? '' : ' results in'}`;
}

/** What a badge says: `Round 2 of 5 · 50 of 51 results in`, `Quarter-finals · 2 of 4`, `Round 2 over`. */
export function badgeWords(stage: Pick<Stage, 'rounds'>, now: readonly CurrentRound[]): string {
  return isOver(now) ? roundTitle(stage, now) : `${roundTitle(stage, now)} · ${resultsIn(now)}`;
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
