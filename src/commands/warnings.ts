import { type Doubt, doubtKinds, tournamentWarningLine, warningLine } from '../record/feed/doubt.ts';
import { found } from '../record/feed/problem.ts';
import type { Notices, TournamentSummary } from '../record/touched-tournaments.ts';

/** Lines of one kind of warning. A platform with a habit would print thousands. */
const mostLines = 20;

export interface Warnings extends Notices {
  /** Says how many warnings were not printed. */
  end: () => void;
  /** One line for each tournament that the import touched, once the import has ended. */
  tournamentLines: string[];
}

export function startWarnings(print: (line: string) => void): Warnings {
  const counts = new Map<Doubt['kind'], number>();
  const warn = (doubts: Doubt[], lineOf: (doubt: Doubt) => string): void => {
    for (const doubt of doubts) {
      const count = (counts.get(doubt.kind) ?? 0) + 1;
      counts.set(doubt.kind, count);
      if (count <= mostLines) print(lineOf(doubt));
    }
  };
  const tournamentLines: string[] = [];
  return {
    tournamentLines,
    onDoubts: (file, line, doubts) => warn(doubts, (doubt) => warningLine(file, line, doubt)),
    onTournamentDoubts: (slug, doubts) => warn(doubts, (doubt) => tournamentWarningLine(slug, doubt)),
    onTournaments: (summaries, more) => {
      tournamentLines.push(...summaries.map(summaryLine));
      if (more > 0) tournamentLines.push(`and ${more} more ${more === 1 ? 'tournament' : 'tournaments'}`);
    },
    end: () => {
      for (const [kind, count] of counts) {
        if (count > mostLines) print(`warning: ${count - mostLines} more of this kind: ${doubtKinds[kind]}`);
      }
    },
  };
}

function summaryLine({ slug, participants, rounds, plannedRounds, champion }: TournamentSummary): string {
  const people = `${participants} ${participants === 1 ? 'participant' : 'participants'}`;
  const winner = champion === null ? '' : `, champion ${found(champion)}`;
  return `${slug}: ${people}, ${rounds} of ${plannedRounds} rounds played${winner}`;
}
