import { searchWords } from '../text/search.ts';

// A name is found if each search word is the beginning of one of its words, in any order. The index contains
// each name rotated to begin at each of its words, so the longest search word is one range of it, and the
// other words filter the rows of that range. The range of a frequent word is read only in part. In that case
// rows that begin with the search words themselves are looked up as well: each order of up to three words is
// a short range of its own.

/**
 * The maximum number of rows read from a range, and of things shown for each kind. One more row says that
 * there are more.
 */
export const maxLookedAt = 2_400;
export const maxOfAKind = 20;

/**
 * Builds the search statement. $1 to $6 are `searchValues`. `columns` are those of a hit: the rest of the key
 * of published.search, and whatever else the index holds. Hits are numbered separately for each value of
 * `apart`.
 *
 * The upper bounds of the ranges are applied only after the rows have been read. If a scan had both bounds,
 * the planner would expect few rows, and might read and sort all of them, which for a frequent word is half
 * the table. So `many` reads up to 2,400 rows, even beyond the range, but only if `few` was not enough.
 */
export const searchAmong = (who: 'guests' | 'others', columns: string, apart?: string) => `
    with few as materialized (
      select folded, ${columns} from published.search
      where ${isGuest[who]} and folded >= $1
      order by folded, ${columns}
      limit 60
    ), many as materialized (
      select folded, ${columns} from published.search
      where ${isGuest[who]} and folded >= $1 and (select count(*) from few where folded < $2) = 60
      order by folded, ${columns}
      limit ${maxLookedAt}
    ), seen as (
      select count(*) = ${maxLookedAt} as is_cut from many where folded < $2
    ), fitting as (
      select * from few where folded < $2 and ' ' || folded like all ($3::text[])
      union all
      select * from many where folded < $2 and ' ' || folded like all ($3::text[])
      union all
      select range.* from unnest($4::text[], $5::text[]) as begins (at, below)
      cross join lateral (
        select folded, ${columns} from published.search
        where ${isGuest[who]} and folded >= begins.at and (select is_cut from seen)
        order by folded, ${columns}
        limit 60
      ) range
      where range.folded < begins.below
    )
    select seen.is_cut as "isCut", hit.*
    from seen
    left join (
      select ${columns}, row_number() over (${apart === undefined ? '' : `partition by ${apart}`} order by typed desc, folded, ${columns}) as rank
      from (
        select ${columns}, bool_or(starts_with(folded, $6)) as typed, min(folded) as folded
        from fitting group by ${columns}
      ) things
    ) hit on hit.rank <= ${maxOfAKind + 1}
    order by ${apart === undefined ? '' : `hit.${apart}, `}hit.rank`;

/**
 * The condition on the first column of the key, so that guests and others are one range each. Only pages find
 * guests.
 */
const isGuest = { guests: 'is_guest', others: 'not is_guest' };

export interface FoundKey {
  kind: 'tournament' | 'club' | 'player';
  key: string;
  /**
   * The position among the hits of its kind, from 1. Hits with the words in the order in which they were
   * typed come first.
   */
  rank: string;
}

/** Returns the values of the statement. Returns null if the query is too short. */
export function searchValues(query: string): unknown[] | null {
  const words = searchWords(query);
  if (words === null) return null;
  const longest = words.toSorted((a, b) => weight(b) - weight(a))[0] ?? '';
  const others = words.filter((word) => word !== longest);
  const orders = words.length === 1 || words.length > 3 ? [] : ordersOf(words);
  return [
    longest,
    above(longest),
    others.map((word) => `% ${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
    orders,
    orders.map(above),
    words.join(' '),
  ];
}

/**
 * Weighs a word by its length. Years are in very many names, so a number counts as the longest word only
 * among numbers.
 */
function weight(word: string): number {
  return /^\p{N}+$/u.test(word) ? word.length / 1_000 : word.length;
}

/**
 * Returns the upper bound of a prefix. Texts are compared as bytes, and this character comes after every
 * other one.
 */
const above = (text: string) => `${text}\u{10ffff}`;

function ordersOf(words: readonly string[]): string[] {
  if (words.length === 1) return [...words];
  return words.flatMap((first) =>
    ordersOf(words.filter((word) => word !== first)).map((rest) => `${first} ${rest}`),
  );
}
