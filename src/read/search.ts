import { searchPrefix } from '../text/search.ts';
import type { Statement } from './reader.ts';

/**
 * The first 60 rows of one range of the index, which has the labels, too. A thing comes once for each of its words that fits.
 * The upper bound is outside: with two bounds the planner expects few rows and may read and sort them all, which are half the
 * table for a frequent word.
 */
export const search: Statement = {
  name: 'search',
  text: `
    select kind, key, label from (
      select folded, kind, key, label from published.search
      where folded >= $1
      order by folded, kind, key
      limit 60
    ) range
    where folded < $2`,
};

export interface Found {
  kind: 'tournament' | 'club' | 'player';
  key: string;
  label: string;
}

/** The values of the statement: all texts that begin with the query. Null when the query is too short. */
export function searchRange(query: string): [from: string, below: string] | null {
  const prefix = searchPrefix(query);
  // Texts are compared as bytes, and this character comes after every other one.
  return prefix === null ? null : [prefix, `${prefix}\u{10ffff}`];
}
