import type { Participant } from '../../contract/participant.ts';
import type { BoardRow, BracketMatch } from '../../contract/standings.ts';
import type { Bye } from '../../publish/derive/now/play-shape.ts';
import { lastDays, type LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import { shownBattle, whole } from '../../read/tournament-parts.ts';
import type { ShownBattle } from '../tournament/statements.ts';

export interface EntryPageRow extends Row {
  tournament: string;
  lastDays: LastDays | null;
  /** Null: no such entry. */
  participant: Participant | null;
  club: { name: string; revision: string } | null;
  battles: ShownBattle[] | null;
  /** In running order. */
  stages: EntryStage[] | null;
}

/** What a stage has of the entry. */
interface EntryStage {
  stage: string;
  row: BoardRow | null;
  byes: Bye[] | null;
  matches: EntryMatch[] | null;
}

export interface EntryMatch {
  match: BracketMatch;
  round: number;
  playerIds: (string | null)[];
  /** The ids of its guests, in the order of its players. */
  entries: (string | null)[];
  winner: string | null;
}

/** Where the entry stands in a list of `details`: its index. */
const found = (list: string, isHere: string) => `
  json_array_elements(part.details::json -> 'entries' -> '${list}') with ordinality one (entry, nr),
  lateral (select (one.nr - 1)::int) own (index)
  where ${isHere}`;
const itself = `one.entry #>> '{}' = $2`;

/** $1 is the slug, $2 the entry. All by keys of the tournament: it has at most some thousand battles. */
export const entryOfPage: Statement = {
  name: 'site_entry',
  text: `
    select tournament.revision, tournament.document as tournament, ${lastDays} as "lastDays",
      entry.participant, (
        select json_build_object('name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
        from published.club
        where club.slug = entry.participant ->> 'club'
      ) as club,
      (
        select json_agg(${shownBattle} order by battle.stage_order, battle.round, battle.id)
        from published.battle
        where battle.tournament = $1 and $2 in (battle.first_entry, battle.second_entry)
      ) as battles,
      (
        select json_agg(json_build_object(
          'stage', part.stage,
          'row', (select part.document::json -> 'data' -> own.index from ${found('rows', itself)} limit 1),
          'byes', (select json_agg(part.play::json -> 'byes' -> own.index) from ${found('byes', itself)}),
          'matches', (
            select json_agg(json_build_object(
              'match', part.document::json -> 'data' -> own.index,
              'round', part.play::json -> 'matches' -> own.index -> 'round',
              'playerIds', part.play::json -> 'matches' -> own.index -> 'playerIds',
              'entries', one.entry -> 'players', 'winner', one.entry -> 'winner'
            ) order by own.index)
            from ${found('matches', `(one.entry -> 'players')::jsonb ? $2`)}
          )
        ) order by array_position(tournament.stages, part.stage))
        from published.standings part
        where part.tournament = $1
      ) as stages
    from published.tournament
    left join lateral (
      select participant.document::json as participant
      from published.participant
      where participant.tournament = $1 and participant.id = $2
    ) entry on true
    where tournament.slug = $1`,
};
