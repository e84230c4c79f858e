import type { BattlePlayer } from '../../contract/battle.ts';
import type { Participant } from '../../contract/participant.ts';
import type { BoardRow } from '../../contract/standings.ts';
import type { Result } from '../../publish/derive/now/play-shape.ts';
import { lastDays, type LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { PlayedStage } from '../now/current-round.ts';
import {
  currentBattles,
  currentBrackets,
  currentRounds,
  followed,
  header,
  isBracket,
  pageOf,
  participants,
  playing,
  shownBattle,
  unlessHeld,
  whole,
  winners,
} from '../../read/tournament-parts.ts';

// The statements for the pages of a tournament. Each reads one tournament from one snapshot. Scalar subqueries fetch what
// stands beside it, so that a plan can only use the keys. $1 is the slug.

interface OngoingRow extends Row {
  /** Null when the browser holds the page. */
  document: string | null;
  default_stage: string | null;
  /** Of a running one: what is played in each stage. Null when a version before has published it. */
  playing: PlayedStage[] | null;
  lastDays: LastDays | null;
}

/** What every page of a tournament shows. */
export interface TournamentRow extends OngoingRow {
  /** JSON: who won or leads. */
  leader: string | null;
  organizer: string | null;
  /** Of the organising club. Null when there is none. */
  club_revision: string | null;
  club_name: string | null;
  /** The first two of the merged standings, when they are not shown themselves. */
  winners: (BoardRow & { entry: string | null })[] | null;
  has_factions: boolean | null;
}

/** Whom the address follows, with the stages that the person is in. */
export interface FollowedPerson {
  name: string;
  /** Null: a guest. */
  playerId: string | null;
  stages: string[];
}

export interface NowRow extends OngoingRow {
  /** Of a running one: the first battles of the rounds that are played, and the brackets among the stages that are. */
  current: ShownBattle[] | null;
  brackets: { stage: string; document: string; play: string; details: string }[] | null;
}

export interface StandingsRow extends TournamentRow, NowRow {
  followed: FollowedPerson | null;
  /** The standings of the shown stage. Null when there is no such stage. */
  standings: string | null;
  play: string | null;
  details: string | null;
  /** The knockout that follows the shown Swiss stage. */
  knockout: string | null;
  knockout_play: string | null;
  knockout_details: string | null;
  /** Of a bracket. */
  battles: ShownBattle[] | null;
  /** Of a planned tournament: who signed up. */
  comers: Comer[] | null;
}

export interface RoundsRow extends TournamentRow {
  followed: FollowedPerson | null;
  stage: string | null;
  /** One, or those that the groups are in. */
  rounds: number[];
  /** Of a bracket. */
  standings: string | null;
  play: string | null;
  details: string | null;
  battles: ShownBattle[] | null;
}

export interface ParticipantsRow extends TournamentRow {
  participants:
    | {
        shown: { entry: string; participant: Participant; result: Result };
        club: { name: string; revision: string } | null;
      }[]
    | null;
}

export interface ShownBattle {
  stage: string;
  table: number | null;
  /** The ids of its guests. */
  entries: (string | null)[];
  battle: {
    id: string;
    tournament: string | null;
    round: number | null;
    scenario: string | null;
    winner: string | null;
    players: BattlePlayer[];
  };
}

interface Comer {
  entry: string;
  player: string;
  playerId: string | null;
  faction: string | null;
}

/** $2: the stage, or null for the default one. $3: the held revisions. $4: the key of whom the address follows, or null. */
export const standingsOfPage: Statement = {
  name: 'site_standings',
  text: pageOf(
    `
    select ${header}, ${followed('$4')}, shown.document as standings, shown.play, shown.details,
      case when shown.stage <> 'standings' then ${winners} end as winners,
      knockout.document as knockout, knockout.play as knockout_play,
      knockout.details as knockout_details,
      (
        select json_agg(
          (select ${shownBattle} from published.battle where battle.id = bracket_match ->> 'battle')
        )
        from json_array_elements(
          case when ${isBracket('shown.stage')} then shown.document::json -> 'data' end
        ) bracket_match
        where bracket_match ->> 'battle' is not null
      ) as battles,
      ${currentBattles('$4::text is not null')} as current, ${currentBrackets} as brackets,
      (
        select json_agg(
          json_build_object('entry', id, 'player', document -> 'player', 'playerId', document -> 'playerId',
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

/** $2: the held revisions. */
export const nowOfPage: Statement = {
  name: 'site_now',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select tournament.document, tournament.default_stage, ${lastDays} as "lastDays", ${playing},
        ${currentBattles()} as current, ${currentBrackets} as brackets
      where concat(tournament.revision, '.0') <> all ($2::text[])
    ) page on true
    where tournament.slug = $1`,
};

export interface NamesRow extends OngoingRow {
  current: ShownBattle[] | null;
  /** The first board. Null when there is none. */
  board: string | null;
  details: string | null;
  /** Everybody, where the board does not have them all. */
  others: { entry: string; player: string; playerId: string | null }[] | null;
}

/** $2: the held revisions. */
export const namesOfPage: Statement = {
  name: 'site_names',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select tournament.document, tournament.default_stage, ${playing}, ${currentBattles('true')} as current,
        first.document as board, first.details, (
          select json_agg(json_build_object('entry', id, 'player', document::json -> 'player',
            'playerId', document::json -> 'playerId'))
          from published.participant
          where participant.tournament = $1 and coalesce(json_array_length(first.document::json -> 'data'), 0)
            < (${whole('tournament.document')} ->> 'players')::int
        ) as others
      from (select) one
      left join published.standings first
        on first.tournament = $1 and first.stage = tournament.stages[1] and not ${isBracket('first.stage')}
      where concat(tournament.revision, '.0') <> all ($2::text[])
    ) page on true
    where tournament.slug = $1`,
};

/** $2 and $3: stage and round, or null for what is played. $4: the held revisions, $5: whom the address follows. */
export const roundOfPage: Statement = {
  name: 'site_round',
  text: pageOf(
    `
    select ${header}, ${followed('$5')}, ${winners} as winners, asked.stage, asked.rounds,
      case when ${isBracket('asked.stage')} then asked.document end as standings, asked.play, asked.details,
      (
        select json_agg(${shownBattle} order by battle.table_number, battle.id)
        from published.battle
        where battle.tournament = $1 and battle.round = any (asked.rounds)
          and battle.stage_order = array_position(tournament.stages, asked.stage)
      ) as battles
    from (
      select latest.stage, shown.document, shown.play, shown.details,
        case when $3::int is null
          then coalesce(${currentRounds('shown.play')}, array[greatest((shown.play::json ->> 'begun')::int, 1)])
          else array[$3::int]
        end as rounds
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

/** $2: how many participants to pass over, $3: how many to show, $4: a part of the folded name, or null. */
const participantsIn = (order: string) =>
  pageOf(
    `
    select ${header}, ${winners} as winners,
      (
        select json_agg(json_build_object(
          'shown', shown.document,
          'club', (
            select json_build_object('name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
            from published.club
            where club.slug = shown.document -> 'participant' ->> 'club'
          )
        ) order by ${order})
        from (${participants('$3', '$2', {
          read: `json_build_object('entry', participant.id, 'participant', participant.document::json, 'result', participant.result::json)`,
          where: 'and ($4::text is null or position($4 in sort_key) > 0)',
          order,
        })}) shown
      ) as participants`,
  );

/** By place where there is one. */
export const participantsOfPage: Statement = {
  name: 'site_participants',
  text: participantsIn('list_order, sort_key, id'),
};

export const participantsByName: Statement = {
  name: 'site_participants_by_name',
  text: participantsIn('sort_key, id'),
};
