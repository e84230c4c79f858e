import { type FactionMonthRow, newestFactionMonth } from '../../read/faction-months.ts';
import type { Row, Statement } from '../../read/reader.ts';

export interface TopPlacementRow extends Row {
  tournament: string | null;
  tournamentRevision: string | null;
  document: string | null;
  /** The row of the final standings. */
  shown: { rank: number; player: string | null } | null;
}

/** $1 is the faction, $2 the number of rows. */
export const topPlacements: Statement = {
  name: 'site_top_places',
  text: `
    select numbers.revision, page.*
    from (select revision from published.list_revision where list = 'factions') numbers
    left join lateral (
      select t.slug as tournament, t.revision as "tournamentRevision", t.document,
        s.document::json -> 'data' -> p."row"::integer as shown
      from (
        select * from published.faction_placement where faction = $1
        order by start_date desc, tournament desc, "row" limit $2
      ) p
      join published.tournament t on t.slug = p.tournament
      join published.standings s on s.tournament = p.tournament and s.stage = 'standings'
      order by p.start_date desc, p.tournament desc, p."row"
    ) page on true`,
};

export interface NewestMonthRow extends FactionMonthRow {
  factionsRevision: string | null;
}

/**
 * Reads the newest two months for the home page, because a month that has just begun says little. The
 * revision is that of the list of tournaments.
 */
export const newestFactionMonths: Statement = {
  name: 'site_newest_faction_months',
  text: `
    select list.revision, numbers.revision as "factionsRevision", page.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join (select revision from published.list_revision where list = 'factions') numbers on true
    left join lateral (
      select to_char(month, 'YYYY-MM-DD') as month, tournaments, packs, counts
      from published.faction_month where pack = '' and not is_long and month <= ${newestFactionMonth}
      order by month desc
      limit 2
    ) page on true`,
};
