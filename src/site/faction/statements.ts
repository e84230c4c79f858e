import type { FactionCounts } from '../../published/faction-sums.ts';
import type { Row, Statement } from '../../read/reader.ts';

/** One month. All columns are null if no month of the window counts anything. */
export interface FactionMonthRow extends Row {
  /** The first day of the month. */
  month: string | null;
  tournaments: number | null;
  packs: string[] | null;
  counts: FactionCounts | null;
}

/** The newest month that counts. $1 is the last day that may count. */
const newest = `(
        select month from published.faction_month where pack = '' and not is_long and month <= $1::date
        order by month desc limit 1)`;

/**
 * Reads one row of the table for each month. $2 is the number of months up to the newest, where 0 means all.
 * $3 is the battle pack or '', $4 is true if only long tournaments count.
 */
export const factionMonths: Statement = {
  name: 'site_faction_months',
  text: `
    select numbers.revision, page.*
    from (select revision from published.list_revision where list = 'factions') numbers
    left join lateral (
      select to_char(month, 'YYYY-MM-DD') as month, tournaments, packs, counts
      from published.faction_month
      where pack = $3 and is_long = $4 and month <= ${newest}
        and month > case $2::integer when 0 then '-infinity' else ${newest} - make_interval(months => $2) end
      order by month
    ) page on true`,
};

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
      from published.faction_month where pack = '' and not is_long and month <= ${newest}
      order by month desc
      limit 2
    ) page on true`,
};
