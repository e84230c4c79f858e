import type { StageDetails, StageEntries } from '../../publish/derive/now/play-shape.ts';
import type { SiteSettings } from '../site-settings.ts';

/** What names a guest among all events: `slug/entry`. An id alone is in every event. Undefined: no guest, or none is shown. */
export function guestKey(
  { hasGuests }: SiteSettings,
  slug: string,
  entry: string | null | undefined,
): string | undefined {
  return hasGuests && entry ? `${slug}/${entry}` : undefined;
}

/** Where the page of a guest is, without the path of the site. */
export function guestPath(key: string): string {
  return `/tournaments/${key.replace('/', '/players/')}`;
}

type Keys = readonly (string | undefined)[];

/** As `StageEntries`. */
export interface Guests {
  rows: Keys;
  byes: Keys;
  matches: readonly { players: Keys; winner: string | undefined }[];
}

/** Of a stage, from its column `details`. */
export function guestsIn(site: SiteSettings, slug: string, details: string | null): Guests {
  const { entries = none } = JSON.parse(details ?? '{}') as StageDetails;
  const key = (entry: string | null) => guestKey(site, slug, entry);
  return {
    rows: entries.rows.map(key),
    byes: entries.byes.map(key),
    matches: entries.matches.map(({ players, winner }) => ({
      players: players.map(key),
      winner: key(winner),
    })),
  };
}

const none: StageEntries = { rows: [], byes: [], matches: [] };

/** The same list, each with its guest. */
export function withGuests<One>(list: readonly One[], guests: Keys): (One & { guest: string | undefined })[] {
  return list.map((one, index) => ({ ...one, guest: guests[index] }));
}

/** The sides of a battle, or of a match, each with its guest. A casual battle has no `slug`. */
export function sidesWithGuests<Side>(
  site: SiteSettings,
  slug: string | null,
  sides: readonly Side[],
  entries: readonly (string | null)[],
): (Side & { guest: string | undefined })[] {
  return withGuests(
    sides,
    entries.map((entry) => guestKey(site, slug ?? '', entry)),
  );
}
