import type { FactionCounts } from '../published/faction-sums.ts';
import { dayMs, dayOf } from '../text/days.ts';
import type { Row, Statement } from './reader.ts';

/** The number of months in each window. 0 means all. */
export const factionWindows = { month: 1, quarter: 3, year: 12, all: 0 } as const;

/**
 * Returns the last day that may count, because a tournament dated far in the future must not move the window.
 * It is tomorrow in UTC, because somewhere it is tomorrow already.
 */
export function lastCountedDay(): string {
  return dayOf(Date.now() + dayMs);
}

/** One month. All columns are null if no month of the window counts anything. */
export interface FactionMonthRow extends Row {
  /** The first day of the month. */
  month: string | null;
  tournaments: number | null;
  packs: string[] | null;
  counts: FactionCounts | null;
}

/** The newest month that counts. $1 is the last day that may count. */
export const newestFactionMonth = `(
        select month from published.faction_month where pack = '' and not is_long and month <= $1::date
        order by month desc limit 1)`;

/**
 * Reads one row of the table for each month. $2 is the number of months up to the newest, where 0 means all.
 * $3 is the battle pack or '', $4 is true if only long tournaments count.
 */
export const factionMonths: Statement = {
  name: 'faction_months',
  text: `
    select numbers.revision, page.*
    from (select revision from published.list_revision where list = 'factions') numbers
    left join lateral (
      select to_char(month, 'YYYY-MM-DD') as month, tournaments, packs, counts
      from published.faction_month
      where pack = $3 and is_long = $4 and month <= ${newestFactionMonth}
        and month > case $2::integer when 0 then '-infinity' else ${newestFactionMonth} - make_interval(months => $2) end
      order by month
    ) page on true`,
};
