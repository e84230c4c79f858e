/**
 * Returns the rank that pages show. Before somebody's first result or bye only the lot would decide it, so
 * they have none, unless the organiser recorded the ranks.
 */
export function shownRank({ rank, path }: RankedRow, isRecorded = false): number | null {
  return isRecorded || hasPlayed({ path }) ? rank : null;
}

interface RankedRow {
  rank: number | null;
  path?: string | undefined;
}

/** Returns true if somebody has a result or a bye. */
export const hasPlayed = ({ path = '' }: Pick<RankedRow, 'path'>): boolean => /[^-]/.test(path);
