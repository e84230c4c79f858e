// A warning about recorded facts. The platform decides, so the record is accepted, but with --strict it is
// refused.
import { problemLine, type Problem } from './problem.ts';

/** The subject of each kind of warning, in the plural. */
export const warningKinds = {
  winner: 'scores that contradict the winner',
  draw: 'draws with unequal scores',
  total: 'totals of victory points that are less than their rounds',
  label: 'grouped boards with a label of their own',
  subFaction: 'sides with another sub-faction than the list that is shown',
  round: 'rounds beyond the number of rounds of the stage',
  ranking: 'rankings that contradict the battle points',
  twice: 'participants with two battles, or a battle and a bye, in one round',
  removed: 'removed players that something published names',
  moved: 'moved tournaments with guests who were erased under the old slug',
  unfinished: 'finished tournaments with unfinished battles',
  idle: 'finished tournaments with participants without a battle or bye',
  final: 'knockouts without a final',
  names: 'names that several participants have',
  kept: 'clubs that stayed as they are',
  empty: 'finished tournaments without battles',
};

export interface Warning extends Problem {
  kind: keyof typeof warningKinds;
}

/**
 * Returns a line like `feed.ndjson:12: warning: battles[3].round: expected at most 5, the rounds of swiss,
 * found 6`.
 */
export const warningLine = (file: string, line: number, { path, message }: Warning): string =>
  problemLine(file, line, {
    path: '',
    message: `warning: ${path === '' ? '' : `${path}: `}${message}`,
  });

/**
 * Returns a line like `tournament tidewatch-open: warning: battles: expected every battle finished, found 3
 * of 40 unfinished`.
 */
export const tournamentWarningLine = (slug: string, { path, message }: Warning): string =>
  `tournament ${slug}: warning: ${path}: ${message}`;
