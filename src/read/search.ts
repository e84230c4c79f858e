import { searchWords } from '../text/search.ts';

// A name is found when each asked word is the beginning of one of its words, in any order. The index has the name rotated to
// begin at each word, so the longest asked word is one range of it, and the other words filter the rows of that range. A
// range of a frequent word is only read in part. Then what was asked may also stand as it is at the beginning of a row: each
// order of up to three words is a short range of its own.

/** How many rows of a range are looked through, and how many things of each kind are shown. One more says that there is more. */
export const maxLookedAt = 2_400;
export const maxOfAKind = 20;

/**
 * $1 to $6 are `searchValues`. `columns` are those of a hit: the rest of the key of published.search, and what the index holds
 * beside it. Each value of `apart` has places of its own.
 *
 * The upper bounds are outside: with two bounds the planner expects few rows and may read and sort them all, which are half
 * the table for a frequent word. So `many` reads up to 2,400 rows, also beyond the range, and only if `few` was not enough.
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
      select ${columns}, row_number() over (${apart === undefined ? '' : `partition by ${apart}`} order by typed desc, folded, ${columns}) as place
      from (
        select ${columns}, bool_or(starts_with(folded, $6)) as typed, min(folded) as folded
        from fitting group by ${columns}
      ) things
    ) hit on hit.place <= ${maxOfAKind + 1}
    order by ${apart === undefined ? '' : `hit.${apart}, `}hit.place`;

/** The first column of the key, so that each is one range. Only pages find guests. */
const isGuest = { guests: 'is_guest', others: 'not is_guest' };

export interface FoundKey {
  kind: 'tournament' | 'club' | 'player';
  key: string;
  /** Among those of its kind, from 1. Words in the order in which they were typed come first. */
  place: string;
}

/** The values of the statement. Null when the query is too short. */
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

/** Years are in very many names. So a number is the longest word only among numbers. */
function weight(word: string): number {
  return /^\p{N}+$/u.test(word) ? word.length / 1_000 : word.length;
}

/** Texts are compared as bytes, and this character comes after every other one. */
const above = (text: string) => `${text}\u{10ffff}`;

function ordersOf(words: readonly string[]): string[] {
  if (words.length === 1) return [...words];
  return words.flatMap((first) =>
    ordersOf(words.filter((word) => word !== first)).map((rest) => `${first} ${rest}`),
  );
}
