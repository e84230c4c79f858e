import type { FactionQuery } from './query.ts';
import type { SiteSettings } from '../site-settings.ts';
import { addressOf } from '../parts/pager.ts';

/** The link to the page of a faction, in the same window. */
export function factionAddress(site: SiteSettings, faction: string, query: FactionQuery): string {
  return addressOf(site, `/factions/${encodeURIComponent(faction)}`, { ...query });
}
