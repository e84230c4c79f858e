import type { BattlePlayer } from '../../contract/battle.ts';
import type { Participant } from '../../contract/participant.ts';
import type { BoardRow } from '../../contract/standings.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { PlayedStage } from '../parts/current-round.ts';

// The statements for the pages of a tournament. Each reads one tournament from one snapshot. Scalar subqueries fetch what
// stands beside it, so that a plan can only use the keys. $1 is the slug.

/** What every page of a tournament shows. */
export interface TournamentRow extends Row {
  organizer: string | null;
  /** Of the organising club. Null when there is none. */
  club_revision: string | null;
  club_name: string | null;
  /** Null when the browser holds the page. */
  document: string | null;
  default_stage: string | null;
  /** JSON: who won or leads. */
  leader: string | null;
  /** Of a running one: what is played in each stage. Null when a version before has published it. */
  playing: PlayedStage[] | null;
  /** The first two of the merged standings, when they are not shown themselves. */
  winners: BoardRow[] | null;
}

export interface StandingsRow extends TournamentRow {
  /** The standings of the shown stage. Null when there is no such stage. */
  standings: string | null;
  play: string | null;
  /** The knockout that follows the shown Swiss stage. */
  knockout: string | null;
  knockout_play: string | null;
  /** Of a bracket. */
  battles: ShownBattle[] | null;
  /** Of a running one: the battles of the rounds that are played, and the brackets among the stages that are. */
  current: ShownBattle[] | null;
  brackets: { stage: string; document: string; play: string }[] | null;
  /** Of a planned tournament: who signed up. */
  comers: Comer[] | null;
}

export interface RoundsRow extends TournamentRow {
  stage: string | null;
  round: number;
  /** Of a bracket. */
  standings: string | null;
  play: string | null;
  battles: ShownBattle[] | null;
}

export interface ParticipantsRow extends TournamentRow {
  participants: { participant: Participant; club: { name: string; revision: string } | null }[] | null;
}

export interface ShownBattle {
  stage: string;
  table: number | null;
  battle: {
    id: string;
    round: number | null;
    scenario: string | null;
    winner: string | null;
    players: BattlePlayer[];
  };
}

interface Comer {
  player: string;
  playerId: string | null;
  faction: string | null;
}

/** A stored document lacks the end of its address. */
const whole = (document: string) =>
  `(case when right(${document}, 1) = '}' then ${document} else ${document} || '"}' end)::json`;

const header = `
  tournament.document, tournament.default_stage, tournament.leader, ${whole('club.document')} ->> 'name' as club_name,
  (
    select json_agg(json_build_object('stage', played.stage, 'now', played.play::json -> 'now',
      'missing', json_array_length(played.play::json -> 'missing')
    ) order by array_position(tournament.stages, played.stage))
    from published.standings played
    where played.tournament = $1 and tournament.status = 'ongoing' and played.play::json -> 'now' is not null
  ) as playing`;

const winners = `
  (
    select jsonb_path_query_array(merged.document::jsonb, '$.data[0 to 1]')
    from published.standings merged
    where merged.tournament = $1 and merged.stage = 'standings'
  )`;

const isBracket = (stage: string) => `(${stage} = 'knockout' or ${stage} ~ '^placement-[0-9]')`;

const shownBattle = `json_build_object('table', battle.table_number, 'battle', ${whole('battle.document')},
  'stage', tournament.stages[battle.stage_order])`;

/** The round that a stage is in. Of its groups, those come first that play. */
const currentRound = (play: string) => `(
    select (each ->> 'round')::int
    from json_array_elements(${play}::json -> 'now') each
    order by (each ->> 'isOver')::boolean, (each ->> 'round')::int
    limit 1
  )`;

/** The battles of the rounds that are played, those that are open from before, and the first ones without a result. */
const currentBattles = `
  (
    select json_agg(${shownBattle} order by battle.stage_order, battle.table_number, battle.id)
    from (
      select distinct id
      from published.standings played,
        lateral (
          select json_array_elements_text(each -> part)
          from json_array_elements(played.play::json -> 'now') each, unnest(array['open', 'done']) part
          union all
          (select json_array_elements_text(played.play::json -> 'missing') limit 4)
        ) own (id)
      where played.tournament = $1 and tournament.status = 'ongoing'
    ) shown
    join published.battle on battle.id = shown.id
  )`;

const currentBrackets = `
  (
    select json_agg(json_build_object('stage', played.stage, 'document', played.document, 'play', played.play))
    from published.standings played
    where played.tournament = $1 and tournament.status = 'ongoing' and ${isBracket('played.stage')}
      and json_array_length(played.play::json -> 'now') > 0
  )`;

/**
 * The keys come from the index alone, then each document once: `offset 0` keeps PostgreSQL from fetching it again for every
 * use.
 */
const participants = (limit: string, offset: string) => `
  select key.sort_key, key.id, (
    select participant.document::json
    from published.participant
    where participant.tournament = $1 and participant.sort_key = key.sort_key and participant.id = key.id
  ) as document
  from (
    select sort_key, id
    from published.participant
    where participant.tournament = $1
    order by sort_key, id
    limit ${limit} offset ${offset}
  ) key
  offset 0`;

const pageOf = (page: string) => `
  select tournament.revision, tournament.organizer, club.revision as club_revision, page.*
  from published.tournament
  left join published.club on club.slug = tournament.organizer
  left join lateral (${page}) page on true
  where tournament.slug = $1`;

/**
 * Nothing when the browser holds the page, so that no document is read. The parameter has the held revisions of the
 * tournament and of its club. The condition must be inside of the lateral join: outside, it comes too late.
 */
const unlessHeld = (parameter: string) =>
  `where concat(tournament.revision, '.', coalesce(club.revision, 0)) <> all (${parameter}::text[])`;

/** $2: the stage, or null for the default one. $3: the held revisions. */
export const standingsOfPage: Statement = {
  name: 'site_standings',
  text: pageOf(
    `
    select ${header}, shown.document as standings, shown.play,
      case when shown.stage <> 'standings' then ${winners} end as winners,
      knockout.document as knockout, knockout.play as knockout_play,
      (
        select json_agg(
          (select ${shownBattle} from published.battle where battle.id = bracket_match ->> 'battle')
        )
        from json_array_elements(
          case when ${isBracket('shown.stage')} then shown.document::json -> 'data' end
        ) bracket_match
        where bracket_match ->> 'battle' is not null
      ) as battles,
      ${currentBattles} as current, ${currentBrackets} as brackets,
      (
        select json_agg(
          json_build_object('player', document -> 'player', 'playerId', document -> 'playerId',
            'faction', document -> 'list' -> 'faction') order by sort_key, id
        )
        from (${participants('100', '0')}) first
        where tournament.status = 'planned'
      ) as comers
    from (select coalesce($2, tournament.default_stage) as stage) asked
    left join published.standings shown on shown.tournament = $1 and shown.stage = asked.stage
    left join published.standings knockout
      on knockout.tournament = $1 and knockout.stage = 'knockout' and shown.stage = 'swiss'
    ${unlessHeld('$3')}`,
  ),
};

/** $2 and $3: stage and round, or null for the latest. $4: the held revisions. */
export const roundOfPage: Statement = {
  name: 'site_round',
  text: pageOf(
    `
    select ${header}, ${winners} as winners, asked.stage, asked.round,
      case when ${isBracket('asked.stage')} then asked.document end as standings, asked.play,
      (
        select json_agg(${shownBattle} order by battle.table_number, battle.id)
        from published.battle
        where battle.tournament = $1 and battle.round = asked.round
          and battle.stage_order = array_position(tournament.stages, asked.stage)
      ) as battles
    from (
      select latest.stage, shown.document, shown.play,
        coalesce($3::int, ${currentRound('shown.play')}, greatest((shown.play::json ->> 'begun')::int, 1)) as round
      from (
        select coalesce($2, case
          when tournament.default_stage <> 'standings' then tournament.default_stage
          when 'knockout' = any (tournament.stages) then 'knockout'
          else tournament.stages[1]
        end) as stage
      ) latest
      left join published.standings shown on shown.tournament = $1 and shown.stage = latest.stage
    ) asked
    ${unlessHeld('$4')}`,
  ),
};

/** $2: how many participants to pass over, $3: how many to show. */
export const participantsOfPage: Statement = {
  name: 'site_participants',
  text: pageOf(
    `
    select ${header}, ${winners} as winners,
      (
        select json_agg(json_build_object(
          'participant', shown.document,
          'club', (
            select json_build_object('name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
            from published.club
            where club.slug = shown.document ->> 'club'
          )
        ) order by sort_key, id)
        from (${participants('$3', '$2')}) shown
      ) as participants`,
  ),
};
