import { whole } from '../../read/tournament-parts.ts';

/**
 * The part of a statement that reads the name of each tournament of `battles` once. A battle has only the
 * slug, in `found[1]`.
 */
export const namedTournaments = `
      select 'named', null, null, (
        select json_build_object(
          'slug', slug,
          'name', ${whole('document')} ->> 'name',
          'revision', revision::text
        )
        from published.tournament
        where slug = those.tournament
      )
      from (select distinct found[1] as tournament from battles where found[1] is not null) those`;
