import { guestPath, type Identity, withGuest } from './guests.ts';
import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

// Every name from the data is inside <bdi>, so that a right-to-left name does not reverse the text around it.

export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** The text that the API shows instead of an erased name. On a board, the name is null. */
export const erasedName = 'Deleted player';

/** Returns the key by which somebody is followed, or undefined if nobody can follow them. */
export function followKey({ playerId, guest }: Identity): string | undefined {
  return playerId ?? guest;
}

/** Returns the address of their page in the tournament, otherwise of the player's or the guest's own page. */
export function personAddress(site: SiteSettings, { playerId, guest, page }: Identity): string | undefined {
  if (page !== undefined) return pathTo(site, page);
  if (playerId) return pathTo(site, `/players/${playerId}`);
  return guest && pathTo(site, guestPath(guest));
}

/**
 * Adds the key of a guest, and the path of the page, to a participant from a document. Erased participants
 * have neither.
 */
export function participantShown<One extends { playerId: string | null; player: string; entry: string }>(
  site: SiteSettings,
  slug: string,
  one: One,
): One & Pick<Identity, 'guest' | 'page'> {
  return one.playerId === null && one.player === erasedName ? one : withGuest(site, slug, one);
}

/** Writes a name, as a link if there is a page. */
export function participantLink(site: SiteSettings, who: Identity & { player: string | null }): Html {
  const { player, playerId = null } = who;
  if (player === null || (playerId === null && player === erasedName)) {
    return html`<span class="clamp gone">${site.words.stored.erased}</span>`;
  }
  const address = personAddress(site, who);
  if (address === undefined) return html`<span class="clamp">${name(player)}</span>`;
  return html`<a class="name" href="${address}">${name(player)}</a>`;
}

/** Returns the attribute from which the script learns whom an element is about. */
export function followData(who: Identity): Html | undefined {
  const key = followKey(who);
  return key === undefined ? undefined : html` data-follow="${key}"`;
}

/** Returns the location of a tournament or a club: city and country, as far as they are known. */
export function cityAndCountry({
  city,
  country,
}: {
  city: string | null;
  country: string | null;
}): Html | undefined {
  if (city === null) return country === null ? undefined : name(country);
  return country === null ? name(city) : html`${name(city)}, ${name(country)}`;
}
