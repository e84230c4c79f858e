import type { Row, Statement } from '../../documents/reader.ts';
import type { Position } from '../position.ts';
import { namedTournaments } from './named-tournaments.ts';

/** Every row has the player. One for each thing that the page shows. */
export type PlayerPageRow = Row & { name: string; position: Position | null; document: string | null } & (
    | { part: 'battle'; more: null }
    | { part: 'event'; more: PlayerEvent }
    | { part: 'named'; more: { slug: string; name: string; revision: string } }
    | { part: 'record'; more: RecordPart }
    | { part: 'places'; more: { events: number; best: number | null } }
    | { part: null }
  );

export interface PlayerEvent {
  plays: boolean;
  organizes: boolean;
  place: number | null;
  faction: string | null;
  revision: string;
}

/** The battles with one faction in one year. */
export interface RecordPart {
  faction: string | null;
  year: number | null;
  battles: number;
  wins: number;
  draws: number;
  losses: number;
}

/**
 * $1 is the player, then for battles and tournaments: the place to begin at, and how many. $10 says how many battles and
 * tournaments the record counts, the newest first: it is the only part that reads more than it shows.
 */
export const playerOfPage: Statement = {
  name: 'site_player',
  text: `
    with battles as materialized (
      select date, stage_order, round, battle,
        (select array[tournament, document] from published.battle where id = player_battle.battle) as found
      from published.player_battle
      where player = $1 and (date, stage_order, round, battle) < ($2::date, $3::smallint, $4::smallint, $5)
      order by date desc, stage_order desc, round desc, battle desc
      limit $6
    )
    select player.revision, player.name, part.*
    from published.player
    left join lateral (
      select 'battle' as part, json_build_array(date, stage_order, round, battle) as position,
        found[2] as document, null::json as more
      from battles
      union all
      select 'event', json_build_array(start_date, tournament), found[2],
        json_build_object(
          'plays', plays, 'organizes', organizes, 'place', place, 'faction', faction, 'revision', found[1]
        )
      from (
        select start_date, tournament, plays, organizes, place, faction,
          (select array[revision::text, document] from published.tournament where slug = player_tournament.tournament)
            as found
        from published.player_tournament
        where player = $1 and (start_date, tournament) < ($7::date, $8)
        order by start_date desc, tournament desc
        limit $9
      ) events
      union all
      ${namedTournaments}
      union all
      select 'record', null, null, json_build_object(
        'faction', faction, 'year', year, 'battles', count(*),
        'wins', count(*) filter (where outcome = 'win'),
        'draws', count(*) filter (where outcome = 'draw'),
        'losses', count(*) filter (where outcome = 'loss')
      )
      from (
        select faction, outcome, case when isfinite(date) then extract(year from date)::int end as year
        from published.player_battle
        where player = $1
        order by date desc, stage_order desc, round desc, battle desc
        limit $10
      ) counted
      group by faction, year
      union all
      select 'places', null, null, json_build_object('events', count(*) filter (where plays), 'best', min(place))
      from (
        select plays, place
        from published.player_tournament
        where player = $1
        order by start_date desc, tournament desc
        limit $10
      ) places
    ) part on true
    where player.id = $1 and player.name is not null`,
};
