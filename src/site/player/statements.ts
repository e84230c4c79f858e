import type { BattlePlayer } from '../../contract/battle.ts';
import type { Participant } from '../../contract/participant.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { Position } from '../parts/position.ts';
import { namedTournaments } from '../parts/named-tournaments.ts';
import { isBracket, whole } from '../../read/tournament-parts.ts';

/** Every row has the player. One for each thing that the page shows. */
export type PlayerPageRow = Row & { name: string; position: Position | null; document: string | null } & (
    | { part: 'battle'; more: Entries }
    | { part: 'event'; more: PlayerEvent }
    | { part: 'named'; more: { slug: string; name: string; revision: string } }
    | { part: 'record'; more: RecordPart }
    | { part: 'now'; more: PlayerNow }
    | { part: 'games'; more: Game[] | null }
    | { part: 'places'; more: { events: number; best: number | null } }
    | { part: null }
  );

/** The ids of the guests, in the order of the players. */
type Entries = readonly (string | null)[];

export interface PlayerEvent {
  plays: boolean;
  organizes: boolean;
  place: number | null;
  faction: string | null;
  revision: string;
}

/** In a running event. */
export interface PlayerNow {
  tournament: string;
  /** On the board that the event has reached. */
  place: { rank: number | null; group: string | null } | null;
  /** Without a result, in a round that is played. */
  battle: OpenGame | null;
  /** Of a bracket, when it has no battle. */
  match: OpenGame | null;
}

interface OpenGame {
  id: string | null;
  table: number | null;
  entries: Entries | null;
  /** Both. */
  players: { player: string; playerId: string | null }[];
}

/** A battle, for the record against each opponent. */
export interface Game {
  id: string;
  date: string | null;
  players: Pick<BattlePlayer, 'player' | 'playerId' | 'faction' | 'outcome' | 'victoryPoints'>[];
}

/** What the player brought to an event, and the club. */
export interface EntryRow extends Row {
  tournament: string | null;
  participant: Participant;
  club: { name: string; revision: string } | null;
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
 * tournaments the record counts, the newest first. $11 says the same for the record against each opponent, which has to read
 * the battles themselves. $12 is the earliest last day of an event that is not old.
 */
export const playerOfPage: Statement = {
  name: 'site_player',
  text: `
    with battles as materialized (
      select date, stage_order, round, battle,
        (select array[tournament, document, first_entry, second_entry] from published.battle
          where id = player_battle.battle) as found
      from published.player_battle
      where player = $1 and (date, stage_order, round, battle) < ($2::date, $3::smallint, $4::smallint, $5)
      order by date desc, stage_order desc, round desc, battle desc
      limit $6
    )
    select player.revision, player.name, part.*
    from published.player
    left join lateral (
      select 'battle' as part, json_build_array(date, stage_order, round, battle) as position,
        found[2] as document, to_json(found[3:4]) as more
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
      select 'now', null, null, json_build_object(
        'tournament', event.slug,
        'place', (
          select json_build_object('rank', board_row -> 'rank', 'group', board_row -> 'group')
          from published.standings board, json_array_elements(board.document::json -> 'data') board_row
          where board.tournament = event.slug and board.stage = event.default_stage
            and board_row ->> 'playerId' = $1
          limit 1
        ),
        'battle', (
          select json_build_object('id', battle.id, 'table', battle.table_number,
            'entries', array[battle.first_entry, battle.second_entry], 'players', ${whole('battle.document')} -> 'players')
          from published.standings played,
            json_array_elements(played.play::json -> 'now') each,
            json_array_elements_text(each -> 'open') open
          join published.battle on battle.id = open
          where played.tournament = event.slug and $1 = any (battle.players)
          order by battle.round desc
          limit 1
        ),
        'match', (
          select json_build_object('id', null, 'table', nullif((found.match ->> 'table')::int, 0), 'entries',
            played.details::json #> array['entries', 'matches', (nr - 1)::text, 'players'], 'players', (
            select json_agg(json_build_object('player', player, 'playerId', known.ids -> (place - 1)::int) order by place)
            from json_array_elements_text(found.match -> 'players') with ordinality one (player, place)
          ))
          from published.standings played,
            json_array_elements(played.document::json -> 'data') with ordinality found (match, nr),
            lateral (select played.play::jsonb -> 'matches' -> (nr - 1)::int -> 'playerIds') known (ids)
          where played.tournament = event.slug and ${isBracket('played.stage')}
            and json_array_length(played.play::json -> 'now') > 0
            and found.match ->> 'winner' is null and found.match ->> 'battle' is null and known.ids ? $1
          limit 1
        )
      )
      from (
        select tournament.slug, tournament.default_stage
        from published.player_tournament
        join published.tournament on tournament.slug = player_tournament.tournament
        where player = $1 and plays and tournament.status = 'ongoing' and last_day >= $12::date and $9 > 0
        order by player_tournament.start_date desc, player_tournament.tournament desc
        limit 3
      ) event
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
      select 'games', null, null, json_agg(json_build_object(
        'id', battle.id, 'date', ${whole('battle.document')} -> 'date', 'players', (
          select json_agg(json_build_object('player', side -> 'player', 'playerId', side -> 'playerId',
            'faction', side -> 'faction', 'outcome', side -> 'outcome', 'victoryPoints', side -> 'victoryPoints'))
          from json_array_elements(${whole('battle.document')} -> 'players') side
        )
      ) order by newest.date desc, newest.stage_order desc, newest.round desc, newest.battle desc)
      from (
        select date, stage_order, round, battle
        from published.player_battle
        where player = $1
        order by date desc, stage_order desc, round desc, battle desc
        limit $11
      ) newest
      join published.battle on battle.id = newest.battle
      union all
      select 'places', null, null, json_build_object('events', count(*), 'best', min(place))
      from (
        select place
        from published.player_tournament
        where player = $1
        order by start_date desc, tournament desc
        limit $10
      ) places
    ) part on true
    where player.id = $1 and player.name is not null`,
};

/** $1 is the player, $2 are tournaments, $3 is the key that the name of the player is sorted by. */
export const entriesOfPlayer: Statement = {
  name: 'site_player_entries',
  text: `
    select player.revision, entry.*
    from published.player
    left join lateral (
      select asked.slug as tournament, found.participant, (
        select json_build_object('name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
        from published.club
        where club.slug = found.participant ->> 'club'
      ) as club
      from unnest($2::text[]) with ordinality asked (slug, place)
      join published.participant on participant.tournament = asked.slug and participant.sort_key = $3,
        lateral (select participant.document::json) found (participant)
      where found.participant ->> 'playerId' = $1
      order by asked.place
    ) entry on true
    where player.id = $1`,
};
