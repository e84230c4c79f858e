import type { BattlePlayer } from '../../contract/battle.ts';
import type { BoardRow } from '../../contract/standings.ts';
import { lastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { PagePosition } from '../parts/position.ts';
import { namedClub, type NamedClub } from '../parts/named-clubs.ts';
import { namedTournaments } from '../parts/named-tournaments.ts';
import { whole } from '../../read/tournament-parts.ts';

/** One row for each thing that the page shows; `part` says what it is. Every row has the player's name. */
export type PlayerPageRow = Row & { name: string; position: PagePosition | null; document: string | null } & (
    | { part: 'battle'; more: Entries }
    | { part: 'event'; more: PlayerEvent }
    | { part: 'named'; more: { slug: string; name: string; revision: string } }
    | { part: 'record'; more: RecordPart }
    | { part: 'now'; more: PlayerNow }
    | { part: 'games'; more: PlayerGame[] | null }
    | { part: 'placements'; more: Placements }
    | { part: 'best'; more: BestPlacement }
    | { part: 'club'; more: NamedClub | null }
    | { part: null }
  );

/** The participant ids of the two sides, in the order of the players. */
type Entries = readonly (string | null)[];

export interface PlayerEvent {
  plays: boolean;
  organizes: boolean;
  entry: string | null;
  /** Null if pages show no placement. */
  placement: number | null;
  faction: string | null;
  wins: number;
  draws: number;
  losses: number;
  /** A letter for each result (see `player_tournament`). */
  path: string;
  revision: string;
  /** JSON: `LastDays`. */
  lastDays: string | null;
}

/** Counted over the tournaments in which the player has a result. */
interface Placements {
  events: number;
  /** The year of the first tournament. Null if none has a date. */
  since: number | null;
}

/** The best placement. The document of this row is that of the tournament. */
interface BestPlacement {
  placement: number;
  revision: string;
}

/** The player in a running tournament. */
export interface PlayerNow {
  tournament: string;
  entry: string;
  /** The player's row on the board that the tournament has reached, and the column `isUnplaced` of its view. */
  board: { row: BoardRow | null; at: number | null; unplaced: Readonly<Record<number, true>> | null } | null;
  /** JSON: the `Pairings` of each stage that is played, the last one first. */
  pairings: string[];
}

/** A battle, for the record against each opponent. */
export interface PlayerGame {
  id: string;
  date: string | null;
  players: Pick<BattlePlayer, 'player' | 'playerId' | 'faction' | 'outcome' | 'victoryPoints'>[];
}

/** The record of the battles with one faction that have a result. */
export interface RecordPart {
  faction: string | null;
  wins: number;
  draws: number;
  losses: number;
}

/**
 * $1 is the player. Then come the position at which to begin and the number of rows, first for battles and
 * then for tournaments. $10 says how many of the newest battles and tournaments the record counts. $11 says
 * the same for the record against each opponent, which has to read the battles themselves. $12 is the
 * earliest last day of a tournament that is being played.
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
    ), placements as materialized (
      select placement, is_placed, start_date, tournament
      from published.player_tournament
      where player = $1 and plays and path <> ''
      order by start_date desc, tournament desc
      limit $10
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
          'plays', plays, 'organizes', organizes, 'entry', entry, 'placement', case when is_placed then placement end, 'faction', faction,
          'wins', won, 'draws', drawn, 'losses', lost, 'path', path, 'revision', found[1], 'lastDays', found[3]
        )
      from (
        select start_date, tournament, plays, organizes, entry, placement, is_placed, faction, won, drawn, lost, path, (
            select array[revision::text, document, (${lastDays})::text]
            from published.tournament
            where slug = player_tournament.tournament
          ) as found
        from published.player_tournament
        where player = $1 and (start_date, tournament) < ($7::date, $8)
        order by start_date desc, tournament desc
        limit $9
      ) events
      union all
      select 'now', null, null, json_build_object(
        'tournament', event.slug,
        'entry', event.entry,
        'board', (
          select json_build_object(
            'row', board.document::json -> 'data' -> (at - 1), 'at', at - 1,
            'unplaced', board.view::json -> 'rows' -> 'columns' -> 'isUnplaced'
          )
          from published.standings board, array_position(board.entries, event.entry) at
          where board.tournament = event.slug and board.stage = event.default_stage
        ),
        'pairings', array(
          select played.pairings
          from published.standings played
          where played.tournament = event.slug and event.entry = any (played.entries) and played.pairings is not null
          order by array_position(event.stages, played.stage) desc
        )
      )
      from (
        select tournament.slug, tournament.default_stage, tournament.stages, player_tournament.entry
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
        'faction', faction,
        'wins', count(*) filter (where outcome = 'win'),
        'draws', count(*) filter (where outcome = 'draw'),
        'losses', count(*) filter (where outcome = 'loss')
      )
      from (
        select faction, outcome
        from published.player_battle
        where player = $1
        order by date desc, stage_order desc, round desc, battle desc
        limit $10
      ) counted
      where outcome is not null
      group by faction
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
      select 'placements', null, null, json_build_object(
        'events', count(*),
        'since', extract(year from min(start_date) filter (where isfinite(start_date)))::int
      )
      from placements
      union all
      select 'best', null, document, json_build_object('placement', best.placement, 'revision', revision::text)
      from (
        select placement, tournament from placements where is_placed and placement is not null order by placement, start_date desc limit 1
      ) best
      join published.tournament on slug = best.tournament
      union all
      select 'club', null, null, ${namedClub('newest.club')}
      from (
        select club
        from published.player_tournament
        where player = $1 and club is not null
        order by start_date desc, tournament desc
        limit 1
      ) newest
    ) part on true
    where player.id = $1 and player.name is not null`,
};
