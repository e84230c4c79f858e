import type { FactionQuery } from './query.ts';
import type { SiteSettings } from '../site-settings.ts';
import { addressOf } from '../parts/pager.ts';

/** Returns the link to the page of a faction, with the same filters. */
export function factionAddress(site: SiteSettings, faction: string, query: FactionQuery): string {
  return addressOf(site, `/factions/${encodeURIComponent(faction)}`, { ...query });
}
