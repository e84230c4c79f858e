import { guestPath, type Identity, withGuest } from './guests.ts';
import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

// Every name from data sits in <bdi>, so that a name from right to left does not turn the text around it.

export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** What the API shows instead of an erased name. On a board the name is null. */
export const erasedName = 'Deleted player';

/** By what somebody is followed. Undefined: nobody can follow them. */
export function keyOf({ playerId, guest }: Identity): string | undefined {
  return playerId ?? guest;
}

/** Their page in the event, otherwise the career of a player. */
export function personAddress(site: SiteSettings, { playerId, guest, page }: Identity): string | undefined {
  if (page !== undefined) return pathTo(site, page);
  if (playerId) return pathTo(site, `/players/${playerId}`);
  return guest && pathTo(site, guestPath(guest));
}

/** Somebody of a participant's document, with the key of the guest and their page. Who was erased has neither. */
export function participantShown<One extends { playerId: string | null; player: string; entry: string }>(
  site: SiteSettings,
  slug: string,
  one: One,
): One & Pick<Identity, 'guest' | 'page'> {
  return one.playerId === null && one.player === erasedName ? one : withGuest(site, slug, one);
}

/** Who has a page is a link. */
export function person(site: SiteSettings, who: Identity & { player: string | null }): Html {
  const { player, playerId = null } = who;
  if (player === null || (playerId === null && player === erasedName)) {
    return html`<span class="clamp gone">${site.words.stored.erased}</span>`;
  }
  const address = personAddress(site, who);
  if (address === undefined) return html`<span class="clamp">${name(player)}</span>`;
  return html`<a class="name" href="${address}">${name(player)}</a>`;
}

/** The script reads it. */
export function followData(who: Identity): Html | undefined {
  const key = keyOf(who);
  return key === undefined ? undefined : html` data-follow="${key}"`;
}

/** The place of an event: town and country, as far as they are known. */
export function place({ city, country }: { city: string | null; country: string | null }): Html | undefined {
  if (city === null) return country === null ? undefined : name(country);
  return country === null ? name(city) : html`${name(city)}, ${name(country)}`;
}
