import type { Participant } from '../../contract/participant.ts';
import type { BoardRow } from '../../contract/standings.ts';
import type { Row, Statement } from '../../read/reader.ts';
import { battleLines, header, partOfTournament, whole } from '../../read/tournament-parts.ts';
import type { TournamentPageRow } from '../tournament-parts/statements.ts';

export interface EntryPageRow extends TournamentPageRow {
  /** Null if there is no such participant. */
  participant: Participant | null;
  /** The club that the participant represents. */
  ownClub: { name: string; revision: string } | null;
  /** The input of `battlesIn`. */
  battles: string | null;
  /** The stages that include the participant, in running order, with what is stored about them for pages. */
  stages: EntryStage[] | null;
}

/** A stage of the participant: on a board the row with its index, for a bracket only the view. */
type EntryStage = [stage: string, row: BoardRow | null, at: number, view: string];

/**
 * $1 is the slug, $2 the participant's id. Everything is found by keys of the tournament, which has at most a
 * few thousand battles.
 */
export const entryOfPage: Statement = {
  name: 'site_entry',
  text: partOfTournament(`
    select ${header}, entry.participant, (
        select json_build_object('name', ${whole('own_club.document')} ->> 'name', 'revision', own_club.revision::text)
        from published.club own_club
        where own_club.slug = entry.participant ->> 'club'
      ) as "ownClub",
      (
        select ${battleLines('battle.stage_order, battle.round, battle.id')}
        from published.battle
        where battle.tournament = $1 and $2 in (battle.first_entry, battle.second_entry)
      ) as battles,
      (
        select json_agg(json_build_array(part.stage,
          case when is_board then part.document::json -> 'data' -> (own.row - 1) end, own.row - 1, part.view
        ) order by array_position(tournament.stages, part.stage))
        from published.standings part, array_position(part.entries, $2) own (row),
          lateral (select part.stage in ('swiss', 'placement-swiss', 'standings')) known (is_board)
        where part.tournament = $1 and own.row is not null
      ) as stages
    from (select) one
    left join lateral (
      select participant.document::json as participant
      from published.participant
      where participant.tournament = $1 and participant.id = $2
    ) entry on true`),
};

export interface PairingsRow extends Row {
  organizer: string | null;
  club_revision: string | null;
  /** Null if nobody has this id. */
  entry: string | null;
  /** JSON: the `Pairings` of each stage that the participant plays, the last one first. */
  pairings: string[] | null;
}

/** $2 is the id of a player, or null. $3 is the id of a participant, or null. */
export const pairingsOfFollowed: Statement = {
  name: 'site_followed',
  text: partOfTournament(`
    select own.entry, array(
      select played.pairings
      from published.standings played
      where played.tournament = $1 and own.entry = any (played.entries) and played.pairings is not null
      order by array_position(tournament.stages, played.stage) desc
    ) as pairings
    from (
      select coalesce((
        select entry
        from published.player_tournament
        where player = $2 and start_date = tournament.start_date and player_tournament.tournament = $1
      ), (
        select id
        from published.participant
        where participant.tournament = $1 and participant.id = $3
      )) as entry
    ) own`),
};
