import type { ParticipantView } from '../../published/views.ts';
import type { SiteSettings } from '../site-settings.ts';

/** A registered player, a guest (`guest` is the key, see `guestKey`), or neither. */
export interface Identity {
  playerId?: string | null | undefined;
  guest?: string | undefined;
  /** The path of their page in a tournament. */
  page?: string | undefined;
}

/**
 * Returns `slug/entry`, which identifies a guest among all tournaments, because each tournament has ids of
 * its own. Undefined if there is no id, or if no guests are shown.
 */
export function guestKey(
  { hasGuests }: SiteSettings,
  slug: string,
  entry: string | null | undefined,
): string | undefined {
  return hasGuests && entry ? `${slug}/${entry}` : undefined;
}

/** Returns the path of a guest's page, without the path of the site. */
export function guestPath(key: string): string {
  return `/tournaments/${key.replace('/', '/players/')}`;
}

/**
 * Returns the key of a guest. A registered player has none, because their own id identifies them among all
 * tournaments.
 */
function guestOf(
  site: SiteSettings,
  slug: string,
  { playerId, entry }: Pick<ParticipantView, 'playerId' | 'entry'>,
): string | undefined {
  return playerId === null ? guestKey(site, slug, entry) : undefined;
}

/** Adds the key of a guest, and the path of the page in the tournament, to a participant from a view. */
export function withGuest<One extends Pick<ParticipantView, 'playerId' | 'entry'>>(
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

/**
 * Adds the keys of guests to the sides of a battle. `entries` has the participant ids in the same order. A
 * casual battle has no `slug`.
 */
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
