import type { PersonView } from '../../published/views.ts';
import type { SiteSettings } from '../site-settings.ts';

/** A registered player, a guest (`guest` is the key: see `guestKey`), or neither of both. */
export interface Identity {
  playerId?: string | null | undefined;
  guest?: string | undefined;
  /** In an event: the path of their page there. */
  page?: string | undefined;
}

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

/** A registered player is known among all events by an id of their own. */
function guestOf(
  site: SiteSettings,
  slug: string,
  { playerId, entry }: Pick<PersonView, 'playerId' | 'entry'>,
): string | undefined {
  return playerId === null ? guestKey(site, slug, entry) : undefined;
}

/** Somebody of a view, with the key of the guest and their page in the event. */
export function withGuest<One extends Pick<PersonView, 'playerId' | 'entry'>>(
  site: SiteSettings,
  slug: string,
  one: One,
): One & Pick<Identity, 'guest' | 'page'> {
  const { playerId, entry } = one;
  const hasPage = entry !== undefined && entry !== '' && (playerId !== null || site.hasGuests);
  return {
    ...one,
    guest: guestOf(site, slug, one),
    page: hasPage ? `/tournaments/${slug}/players/${entry}` : undefined,
  };
}

/** The sides of a battle, each with its guest: `entries` stand beside the battle in their order. A casual battle has no `slug`. */
export function sidesWithGuests<Side extends { playerId: string | null }>(
  site: SiteSettings,
  slug: string | null,
  sides: readonly Side[],
  entries: readonly (string | null)[],
): (Side & { guest: string | undefined })[] {
  return sides.map((side, index) => ({
    ...side,
    guest: guestOf(site, slug ?? '', { playerId: side.playerId, entry: entries[index] ?? '' }),
  }));
}
