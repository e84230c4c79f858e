import type { PageRequest } from '../page.ts';
import type { SiteSettings } from '../site-settings.ts';
import {
  type FactionMonthRow,
  factionMonths,
  factionWindows,
  lastCountedDay,
} from '../../read/faction-months.ts';
import { ratedFactions, type RatedFaction } from '../../published/win-rate.ts';

// The query of a page or file about factions, and the numbers that it reads.

export const factionParameters = ['window', 'pack', 'length'];

/** The query as addresses contain it. What was not asked for is undefined. */
export interface FactionQuery {
  window?: keyof typeof factionWindows | undefined;
  pack?: string | undefined;
  length?: 'long' | undefined;
}

/** Reads the query. Invalid values are ignored. */
export function factionQuery({ window, pack, length }: PageRequest['query']): FactionQuery {
  const known = (Object.keys(factionWindows) as (keyof typeof factionWindows)[]).find(
    (each) => each === window,
  );
  return {
    window: known === 'year' ? undefined : known,
    pack: pack === '' ? undefined : pack?.slice(0, 200),
    length: length === 'long' ? 'long' : undefined,
  };
}

export interface FactionNumbers {
  months: (FactionMonthRow & { month: string })[];
  /** All factions, the strongest first. */
  factions: RatedFaction[];
}

export async function readFactions(
  read: PageRequest['read'],
  { window = 'year', pack = '', length }: FactionQuery,
): Promise<FactionNumbers> {
  const values = [lastCountedDay(), factionWindows[window], pack, length === 'long'];
  const rows = await read<FactionMonthRow>(factionMonths, values);
  const months = rows.filter((row): row is FactionNumbers['months'][0] => row.month !== null);
  return { months, factions: ratedFactions(months) };
}

/** The window moves as time passes, and no notice says so. */
export const keptForMs = 60_000;

/** Returns `November 2026` or `December 2025 – November 2026`. */
export function spanInWords({ words }: SiteSettings, months: FactionNumbers['months']): string {
  const [first, last] = [months[0]?.month, months.at(-1)?.month];
  if (first === undefined || last === undefined) return '';
  return words.monthTitle(first) + (first === last ? '' : ` – ${words.month(last)}`);
}
