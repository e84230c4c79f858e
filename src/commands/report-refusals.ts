// Prints refusals in a form that people can read: all problems of a line, up to a limit. If a tournament is
// not recorded, its battles and participants are refused too; these are counted instead of being printed one
// by one.
import { maxExplained } from '../record/feed/explain.ts';
import { problemLine, type Problem } from '../record/feed/problem.ts';
import type { RefusedAbout } from '../record/refused.ts';

const maxPrinted = 20;

interface Following {
  /** The file and line of the first refused record. */
  line: string;
  count: number;
  printed: boolean;
}

export function reportRefusals(print: (line: string) => void) {
  const refusedTournaments = new Set<string>();
  const following = new Map<string, Following>();
  const printCount = (slug: string, why: string, advice = ''): void => {
    const { line, count, printed } = following.get(slug) ?? { line: '', count: 0, printed: false };
    following.delete(slug);
    if (count < (printed ? 2 : 1)) return;
    const records = count === 1 ? '1 record' : `${count} records`;
    const were = count === 1 ? 'was' : 'were';
    print(`${records} of tournament "${slug}" ${were} refused ${why} (first at ${line})${advice}`);
  };
  return {
    refused(file: string, line: number, problems: Problem[], about: RefusedAbout): void {
      if (about.tournament !== undefined) refusedTournaments.add(about.tournament);
      const { follows } = about;
      if (follows !== undefined) {
        const before = following.get(follows);
        if (before) {
          before.count++;
          return;
        }
        const printed = !refusedTournaments.has(follows);
        following.set(follows, { line: `${file}:${line}`, count: 1, printed });
        if (!printed) return;
      }
      printProblems(print, file, line, problems);
    },
    recorded(tournament: string): void {
      refusedTournaments.delete(tournament);
      printCount(tournament, 'before it was recorded', ': send them again');
    },
    end(): void {
      for (const slug of following.keys()) printCount(slug, 'because it is not recorded');
    },
  };
}

function printProblems(print: (line: string) => void, file: string, line: number, problems: Problem[]): void {
  for (const problem of problems.slice(0, maxPrinted)) print(problemLine(file, line, problem));
  const left = problems.length - maxPrinted;
  if (left <= 0) return;
  // The search for problems stops at a limit.
  const least = problems.length >= maxExplained ? 'at least ' : '';
  const message = `and ${least}${left} more ${left === 1 ? 'problem' : 'problems'}`;
  print(problemLine(file, line, { path: '', message }));
}
