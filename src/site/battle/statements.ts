import { lastDays, type LastDays } from '../../read/last-days.ts';
import { namedClub, type NamedClub } from '../parts/named-clubs.ts';
import type { Row, Statement } from '../../read/reader.ts';

export interface BattlePageRow extends Row {
  document: string;
  /** The players whose lists contain the battle. Each of them has a page. */
  players: string[];
  table: number | null;
  /** The participant id of each side. Null if the participant is erased, and in a casual battle. */
  entries: (string | null)[];
  /** Null for a casual battle, like the six columns below. */
  tournament: string | null;
  tournamentRevision: string | null;
  lastDays: LastDays | null;
  organizer: string | null;
  club: NamedClub | null;
  /** JSON: the `TournamentView`. */
  view: string | null;
  /** JSON: the `BracketView` of the battle's stage. Null if the stage is not a bracket. */
  bracket: string | null;
}

/**
 * Reads five rows by their keys. `stage_order` is the index of the battle's stage in the tournament's stages.
 */
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
