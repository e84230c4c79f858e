import type { ShownScope } from '../../read/newest-revisions.ts';
import {
  battlePosition,
  newestBattles,
  newestTournaments,
  type PagePosition,
  tournamentPosition,
} from './position.ts';
import type { TournamentNames } from './battles.ts';

// Clubs and players have two lists, of tournaments and of battles. The first page begins both. Each other
// page continues one of them: `?before=` the battles, `?tournaments-before=` the tournaments.

export interface Lists {
  isFirst: boolean;
  /** The query in the canonical address of the page. */
  suffix: string;
  tournaments: List;
  battles: List;
}

interface List {
  begin: PagePosition;
  /** How many rows to read: one more than the page shows, or 0 if the page does not show the list. */
  rows: number;
}

/** Returns what the page shows of both lists, or undefined if the address has an invalid position. */
export function listsOf(query: Partial<Readonly<Record<string, string>>>): Lists | undefined {
  const { before, 'tournaments-before': tournamentsBefore } = query;
  if (before !== undefined) {
    const begin = battlePosition(before);
    const suffix = `?before=${before}`;
    return begin && { isFirst: false, suffix, tournaments: none, battles: { begin, rows: pageSize + 1 } };
  }
  if (tournamentsBefore !== undefined) {
    const begin = tournamentPosition(tournamentsBefore);
    return (
      begin && {
        isFirst: false,
        suffix: `?tournaments-before=${tournamentsBefore}`,
        tournaments: { begin, rows: pageSize + 1 },
        battles: { ...none, begin: newestBattles },
      }
    );
  }
  return {
    isFirst: true,
    suffix: '',
    tournaments: { begin: newestTournaments, rows: firstTournaments + 1 },
    battles: { begin: newestBattles, rows: firstBattles + 1 },
  };
}

const pageSize = 50;
/** The first page shows the newest of both lists, among other things. */
const firstTournaments = 8;
const firstBattles = 4;

const none: List = { begin: newestTournaments, rows: 0 };

/** A row of the page. If its part is `named`, it names a tournament of the battles. */
export interface NamedRow {
  part: string | null;
  more?: object | null;
}

export function namesIn(rows: readonly NamedRow[]): TournamentNames {
  return new Map(named(rows).map(({ slug, name }) => [slug, name]));
}

export function namesShown(rows: readonly NamedRow[]): ShownScope[] {
  return named(rows).map(({ slug, revision }) => ({
    scope: `tournament:${slug}`,
    revision: BigInt(revision),
  }));
}

interface Named {
  slug: string;
  name: string;
  revision: string;
}

function named(rows: readonly NamedRow[]): Named[] {
  return rows.flatMap(({ part, more }) => (part === 'named' && more ? [more as Named] : []));
}
