import { lastDays, type LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { Position } from '../parts/position.ts';
import { namedTournaments } from '../parts/named-tournaments.ts';

/** Every row has the club. One for each thing that the page shows. */
export type ClubPageRow = Row & { club: string; position: Position | null; document: string | null } & (
    | { part: 'event'; more: LastDays | null }
    | { part: 'named'; more: { slug: string; name: string; revision: string } }
    | { part: 'battle' | null; more: null }
  );

/** $1 is the club, then for tournaments and battles: the place to begin at, and how many. */
export const clubOfPage: Statement = {
  name: 'site_club',
  text: `
    with battles as materialized (
      select date, stage_order, round, battle,
        (select array[tournament, document] from published.battle where id = club_battle.battle) as found
      from published.club_battle
      where club = $1 and (date, stage_order, round, battle) < ($5::date, $6::smallint, $7::smallint, $8)
      order by date desc, stage_order desc, round desc, battle desc
      limit $9
    )
    select club.revision, club.document as club, part.*
    from published.club
    left join lateral (
      select * from (
        select 'event' as part, json_build_array(start_date, slug) as position, document, ${lastDays} as more
        from published.tournament
        where organizer is not null and (organizer, start_date, slug) < ($1, $2::date, $3)
          and (organizer, start_date) >= ($1, '-infinity')
        order by organizer desc, start_date desc, slug desc
        limit $4
      ) events
      union all
      select 'battle', json_build_array(date, stage_order, round, battle), found[2], null from battles
      union all
      ${namedTournaments}
    ) part on true
    where club.slug = $1`,
};
