import type { Club } from '../contract/club.ts';
import type { Tournament } from '../contract/tournament.ts';
import { lastDays, type LastDays } from './last-days.ts';
import type { ShownScope } from './newest-revisions.ts';
import { parseStored } from './page-address.ts';
import type { Row, Statement } from './reader.ts';
import { maxOfAKind, searchAmong, type FoundKey } from './search.ts';

export type SearchRow = Row & { isCut: boolean | null } & (
    | (FoundKey & { detail: Detail | null })
    | Record<keyof FoundKey | 'detail', null>
  );

interface Thing {
  revision: string;
  document: string;
}

/**
 * The details of something found. A player has no document here or elsewhere, but a name, a newest event, and
 * perhaps a club in that event.
 */
export interface Detail {
  revision: string;
  document?: string;
  /** Present for a tournament. */
  lastDays?: LastDays | null;
  name?: string | null;
  event?: (Thing & { slug: string }) | null;
  club?: (Thing & { slug: string }) | null;
}

const shown = (thing: string) =>
  `case when ${thing}.slug is not null then
          json_build_object('slug', ${thing}.slug, 'revision', ${thing}.revision::text, 'document', ${thing}.document) end`;

/**
 * Finds things, with details that tell those with the same name apart. The last row of a kind only says that
 * there are more. The condition on the key of list_revision makes PostgreSQL expect a single revision. If it
 * expected thousands, as it might before the first ANALYZE, it would compile the statement.
 */
export const searchWithDetails: Statement = {
  name: 'search_with_details',
  text: `
    select names.revision, found.*, case found.kind
      when 'tournament' then (
        select json_build_object('revision', revision::text, 'document', document, 'lastDays', ${lastDays})
        from published.tournament where slug = found.key and found.rank <= ${maxOfAKind}
      )
      when 'club' then (
        select json_build_object('revision', revision::text, 'document', document)
        from published.club where slug = found.key and found.rank <= ${maxOfAKind}
      )
      when 'player' then (
        select json_build_object('revision', person.revision::text, 'name', person.name,
          'event', ${shown('event')}, 'club', ${shown('club')})
        from published.player person
        left join lateral (
          select tournament, club from published.player_tournament
          where player = person.id
          order by start_date desc, tournament desc
          limit 1
        ) newest on true
        left join published.tournament event on event.slug = newest.tournament
        left join published.club club on club.slug = newest.club
        where person.id = found.key and found.rank <= ${maxOfAKind}
      )
    end as detail
    from (select revision from published.list_revision where list = 'search') names
    left join lateral (${searchAmong('others', 'kind, key', 'kind')}) found on true`,
};

export interface Hit {
  kind: FoundKey['kind'];
  key: string;
  name: string;
  detail: Detail;
}

/**
 * Returns the hits that are still published, under their current names, because a row of the index may have
 * been left behind by hand.
 */
export function hitsOf(rows: readonly SearchRow[]): Hit[] {
  return rows.flatMap(({ kind, key, detail }): Hit[] => {
    if (kind === null || detail === null) return [];
    const { document } = detail;
    const name = document === undefined ? detail.name : parseStored<Club | Tournament>(document).name;
    return name ? [{ kind, key, name, detail }] : [];
  });
}

/** The same length as in the search form of the site. */
export const longestQuery = 100;

/** Returns the scopes of everything whose name, date, city, event or club the answer shows. */
export function shownBy({ kind, key, detail }: SearchRow): ShownScope[] {
  if (kind === null || detail === null) return [];
  const scopes: ShownScope[] = [{ scope: `${kind}:${key}`, revision: BigInt(detail.revision) }];
  const { event, club } = detail;
  if (event) scopes.push({ scope: `tournament:${event.slug}`, revision: BigInt(event.revision) });
  if (club) scopes.push({ scope: `club:${club.slug}`, revision: BigInt(club.revision) });
  return scopes;
}
