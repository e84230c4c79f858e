import { lastDays, type LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { PagePosition } from '../parts/position.ts';
import { namedTournaments } from '../parts/named-tournaments.ts';

/** A row for each thing that the page shows. Every row has the club. */
export type ClubPageRow = Row & { club: string; position: PagePosition | null; document: string | null } & (
    | { part: 'event'; more: EventMore }
    | { part: 'result'; more: ClubResult }
    | { part: 'faction'; more: ClubFaction }
    | { part: 'named'; more: { slug: string; name: string; revision: string } }
    | { part: 'battle' | null; more: null }
  );

interface EventMore {
  lastDays: LastDays | null;
  /** JSON: who won or leads. */
  leader: string | null;
}

/** The result of a registered player of the club in one tournament. */
export interface ClubResult extends ClubRecord {
  tournament: string;
  tournamentRevision: string;
  lastDays: LastDays | null;
  player: string;
  playerRevision: string;
  name: string;
  entry: string;
  /** The final placement. Null until there is one. */
  placement: number | null;
}

/** The record of one faction, counted over the newest entries of the club's players. */
interface ClubFaction extends ClubRecord {
  entries: number;
}

interface ClubRecord {
  faction: string | null;
  wins: number;
  draws: number;
  losses: number;
}

/**
 * $1 is the club. Then come the position at which to begin and the number of rows, first for tournaments and
 * then for battles. $10 says how many of the newest entries of the club's players count, $11 how many of them
 * are shown.
 */
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
    ), results as materialized (
      select player, start_date, tournament, entry, placement, faction, won, drawn, lost
      from published.player_tournament
      where club = $1 and club is not null and won + drawn + lost > 0
      order by start_date desc, tournament desc, placement
      limit $10
    )
    select club.revision, club.document as club, part.*
    from published.club
    left join lateral (
      select * from (
        select 'event' as part, json_build_array(start_date, slug) as position, document,
          json_build_object('lastDays', ${lastDays}, 'leader', leader) as more
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
      union all
      select 'result', null, tournament.document, json_build_object(
        'tournament', tournament.slug, 'tournamentRevision', tournament.revision::text, 'lastDays', ${lastDays},
        'player', person.id, 'playerRevision', person.revision::text, 'name', person.name, 'entry', newest.entry,
        'placement', newest.placement, 'faction', newest.faction,
        'wins', newest.won, 'draws', newest.drawn, 'losses', newest.lost
      )
      from (select * from results order by start_date desc, tournament desc, placement limit $11) newest
      join published.tournament on tournament.slug = newest.tournament
      join published.player person on person.id = newest.player and person.name is not null
      union all
      select 'faction', null, null, json_build_object(
        'faction', faction, 'entries', count(*), 'wins', sum(won), 'draws', sum(drawn), 'losses', sum(lost)
      )
      from results
      group by faction
    ) part on true
    where club.slug = $1`,
};
