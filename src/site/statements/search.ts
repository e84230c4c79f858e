import type { Row, Statement } from '../../read/reader.ts';
import { search, type Found } from '../../read/search.ts';

export type SearchPageRow = Row & { isCut: boolean | null } & (
    | (Found & { detail: Detail | null })
    | Record<keyof Found | 'detail', null>
  );

interface Thing {
  revision: string;
  document: string;
}

/** A player has a document neither here nor elsewhere, but a newest event, and maybe a club there. */
export interface Detail {
  revision: string;
  document: string | null;
  event: (Thing & { slug: string }) | null;
  club: (Thing & { slug: string }) | null;
}

const shown = (thing: string) =>
  `case when ${thing}.slug is not null then
          json_build_object('slug', ${thing}.slug, 'revision', ${thing}.revision::text, 'document', ${thing}.document) end`;

/**
 * What is found, with what tells things of one name apart. The last place of a kind only says that there is more. With
 * `limit 1` PostgreSQL expects one revision; without, and before the first ANALYZE, thousands, and compiles the statement.
 */
export const searchOfPage: Statement = {
  name: 'site_search',
  text: `
    select names.revision, found.*, case found.kind
      when 'tournament' then (
        select json_build_object('revision', revision::text, 'document', document)
        from published.tournament where slug = found.key and found.place <= 20
      )
      when 'club' then (
        select json_build_object('revision', revision::text, 'document', document)
        from published.club where slug = found.key and found.place <= 20
      )
      when 'player' then (
        select json_build_object('revision', person.revision::text, 'event', ${shown('event')}, 'club', ${shown('club')})
        from published.player person
        left join lateral (
          select tournament, club from published.player_tournament
          where player = person.id
          order by start_date desc, tournament desc
          limit 1
        ) newest on true
        left join published.tournament event on event.slug = newest.tournament
        left join published.club club on club.slug = newest.club
        where person.id = found.key and found.place <= 20
      )
    end as detail
    from (select revision from published.search_revision limit 1) names
    left join lateral (${search.text}) found on true`,
};
