import type { Participant } from '../../contract/participant.ts';
import type { Result } from '../../published/views.ts';
import type { LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import {
  battleLines,
  header,
  partOfTournament,
  pairings,
  participants,
  signUps,
  unlessHeld,
  whole,
} from '../../read/tournament-parts.ts';

// The statements for the pages of a tournament. Each reads one tournament from one snapshot. Scalar
// subqueries fetch what belongs to it, so that a plan can only use the keys. $1 is the slug.

interface OngoingRow extends Row {
  /** Null when the browser holds the page. */
  document: string | null;
  default_stage: string | null;
  /** JSON: the `TournamentView`. Null when the browser holds the page. */
  tournament: string | null;
  lastDays: LastDays | null;
}

/** The columns that every page of a tournament shows. */
export interface TournamentPageRow extends OngoingRow {
  /** JSON: who won or leads. */
  leader: string | null;
  organizer: string | null;
  /** The revision of the organising club. Null if there is none. */
  club_revision: string | null;
  /** The document of the organising club. */
  club: string | null;
}

export type NowRow = OngoingRow;

export interface StandingsRow extends TournamentPageRow {
  /** `standings` and `view` are the input of `standingsView`. Null if there is no such stage. */
  standings: string | null;
  view: string | null;
  /** The sign-ups of a planned tournament. */
  signUps: [entry: string, participant: string][] | null;
}

export interface RoundsRow extends TournamentPageRow {
  stage: string | null;
  /** The rounds on the page: one, or those that the groups are in. */
  rounds: number[];
  /** JSON: the `BracketView`. Null for a board. */
  bracket: string | null;
  /** JSON: the `Pairings`. Null unless groups are in different rounds. */
  pairings: string | null;
  /** The input of `battlesIn`. */
  battles: string | null;
}

export interface ParticipantsRow extends TournamentPageRow {
  participants:
    | {
        shown: { entry: string; participant: Participant; result: Result };
        club: { name: string; revision: string } | null;
      }[]
    | null;
}

/** $2 is the stage, or null for the default one. $3 has the revisions that the browser holds. */
export const standingsOfPage: Statement = {
  name: 'site_standings',
  text: partOfTournament(
    `
    select ${header}, shown.document as standings, shown.view,
      (
        select ${signUps}
        from (${participants('100', '0', { read: 'participant.document' })}) first
        where tournament.status = 'planned'
      ) as "signUps"
    from (select coalesce($2, tournament.default_stage) as stage) asked
    left join published.standings shown on shown.tournament = $1 and shown.stage = asked.stage
    ${unlessHeld('$3')}`,
  ),
};

export interface NamesRow extends Row {
  /** Null when the browser holds the page. */
  document: string | null;
  /**
   * The standings of the final table, otherwise of the first board, for `standingsView`. This and `view` are
   * null without a board.
   */
  board: string | null;
  view: string | null;
  /** True if this board is the one that play has reached. Otherwise its ranks are those of a stage that is over. */
  isReached: boolean;
  /** JSON: the `Pairings` of each stage that is played. */
  pairings: string[];
  /** All participants, if the board does not have them all. */
  others: { entry: string; participant: Participant }[] | null;
}

/** $2 has the revisions that the browser holds. */
export const namesOfPage: Statement = {
  name: 'site_names',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select tournament.document, first.document as board, first.view,
        first.stage = tournament.default_stage as "isReached", ${pairings}, (
          select json_agg(json_build_object('entry', id, 'participant', document::json))
          from published.participant
          where participant.tournament = $1 and coalesce(cardinality(first.entries), 0)
            < (${whole('tournament.document')} ->> 'players')::int
        ) as others
      from (select) one
      left join published.standings first
        on first.tournament = $1 and first.stage in ('swiss', 'placement-swiss', 'standings')
          and first.stage = case tournament.default_stage when 'standings' then 'standings' else tournament.stages[1] end
      where concat(tournament.revision, '.0') <> all ($2::text[])
    ) page on true
    where tournament.slug = $1`,
};

/**
 * $2 and $3 are the stage and the round, or null for what is being played. $4 has the revisions that the
 * browser holds.
 */
export const roundOfPage: Statement = {
  name: 'site_round',
  text: partOfTournament(
    `
    select ${header}, asked.stage, asked.rounds, asked.pairings,
      case when asked.stage not in ('swiss', 'placement-swiss') then asked.view end as bracket,
      (
        select ${battleLines('battle.table_number, battle.id')}
        from published.battle
        where battle.tournament = $1 and battle.round = any (asked.rounds)
          and battle.stage_order = array_position(tournament.stages, asked.stage)
      ) as battles
    from (
      select latest.stage, shown.view,
        case when $3::int is null then shown.rounds else array[$3::int] end as rounds,
        case when $3::int is null and cardinality(shown.rounds) > 1 then shown.pairings end as pairings
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

/** $2 is how many participants to skip, $3 how many to show, $4 a part of the folded name, or null. */
const participantsIn = (order: string) =>
  partOfTournament(
    `
    select ${header},
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

/** Reads the participants by final placement, or by name until there are placements. */
export const participantsOfPage: Statement = {
  name: 'site_participants',
  text: participantsIn('list_order, sort_key, id'),
};

export const participantsByName: Statement = {
  name: 'site_participants_by_name',
  text: participantsIn('sort_key, id'),
};
