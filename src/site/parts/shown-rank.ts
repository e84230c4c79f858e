import type { RowView } from '../../published/views.ts';

/** Returns the rank that pages show. */
export function shownRank({ rank, isUnplaced }: RankedRow): number | null {
  return isUnplaced ? null : rank;
}

interface RankedRow extends Pick<RowView, 'rank'> {
  isUnplaced?: true | undefined;
}

/** Returns true if somebody has a result or a bye. */
export const hasPlayed = ({ path = '' }: Pick<RowView, 'path'>): boolean => /[^-]/.test(path);
