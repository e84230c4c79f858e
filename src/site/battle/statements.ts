import { lastDays, type LastDays } from '../../read/last-days.ts';
import { namedClub, type NamedClub } from '../parts/named-clubs.ts';
import type { Row, Statement } from '../../read/reader.ts';

export interface BattlePageRow extends Row {
  document: string;
  /** The players whose lists show the battle: each has a page. */
  players: string[];
  table: number | null;
  /** The ids of its guests. */
  entries: (string | null)[];
  /** Null for a casual battle, like the six below. */
  tournament: string | null;
  tournamentRevision: string | null;
  lastDays: LastDays | null;
  organizer: string | null;
  club: NamedClub | null;
  /** JSON: the `TournamentView`. */
  view: string | null;
  /** JSON: the `BracketView` of the battle's stage, when it is a bracket. */
  bracket: string | null;
}

/** Five rows by their keys. The order of a stage is its place in the tournament's stages. */
export const battleOfPage: Statement = {
  name: 'site_battle',
  text: `
    select battle.revision, battle.players, battle.table_number as "table",
      array[battle.first_entry, battle.second_entry] as entries,
      (select document from published.battle_detail where id = battle.id) as document,
      tournament.document as tournament, tournament.view, tournament.revision as "tournamentRevision", ${lastDays} as "lastDays",
      tournament.organizer, ${namedClub('tournament.organizer')} as club,
      (
        select standings.view
        from published.standings
        where standings.tournament = battle.tournament
          and standings.stage = tournament.stages[battle.stage_order]
          and standings.stage not in ('swiss', 'placement-swiss')
      ) as bracket
    from published.battle
    left join published.tournament on tournament.slug = battle.tournament
    where battle.id = $1`,
};
