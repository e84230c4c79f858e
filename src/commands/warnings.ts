import { type Warning, warningKinds, tournamentWarningLine, warningLine } from '../record/feed/warning.ts';
import { found } from '../record/feed/problem.ts';
import type { ImportRemarks, TournamentSummary } from '../record/touched-tournaments.ts';

/**
 * The maximum number of lines for one kind of warning, because a platform might otherwise cause thousands.
 */
const maxLines = 20;

export interface Warnings extends ImportRemarks {
  /** Prints how many warnings were left out. */
  end: () => void;
  /** One line for each tournament that the import touched, available once the import has ended. */
  tournamentLines: string[];
}

export function startWarnings(print: (line: string) => void): Warnings {
  const counts = new Map<Warning['kind'], number>();
  const warn = (warnings: Warning[], lineOf: (warning: Warning) => string): void => {
    for (const warning of warnings) {
      const count = (counts.get(warning.kind) ?? 0) + 1;
      counts.set(warning.kind, count);
      if (count <= maxLines) print(lineOf(warning));
    }
  };
  const tournamentLines: string[] = [];
  let smaller = 0;
  return {
    tournamentLines,
    onWarnings: (file, line, warnings) => warn(warnings, (warning) => warningLine(file, line, warning)),
    onTournamentWarnings: (slug, warnings) =>
      warn(warnings, (warning) => tournamentWarningLine(slug, warning)),
    onRemoved: (slug, { battles, participants }) => {
      const gone = [counted(battles, 'battle'), counted(participants, 'participant')];
      smaller += 1;
      if (smaller <= maxLines)
        print(`${slug}: removed, because the feed leaves them out: ${gone.join(', ')}`);
    },
    onTournaments: (summaries, more) => {
      tournamentLines.push(...summaries.map(summaryLine));
      if (more > 0) tournamentLines.push(`and ${more} more ${more === 1 ? 'tournament' : 'tournaments'}`);
    },
    end: () => {
      if (smaller > maxLines)
        print(`and ${smaller - maxLines} more tournaments lost battles or participants`);
      for (const [kind, count] of counts) {
        if (count > maxLines) print(`warning: ${count - maxLines} more of this kind: ${warningKinds[kind]}`);
      }
    },
  };
}

function summaryLine(summary: TournamentSummary): string {
  const { slug, isPublished, participants, rounds, plannedRounds, champion } = summary;
  const people = counted(participants, 'participant');
  const { knockoutRounds: over, plannedKnockoutRounds: all } = summary;
  const knockout = all === null ? '' : `, then ${over} of ${all} in the knockout`;
  const winner = champion === null ? '' : `, champion ${found(champion)}`;
  return `${slug}: ${people}, ${rounds} of ${plannedRounds} rounds played${knockout}${winner}${isPublished ? '' : '; recorded, not published'}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
