import { guestPath } from './guests.ts';
import { html, type Html } from './html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

// Every name from data sits in <bdi>, so that a name from right to left does not turn the text around it.

export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** What the API shows instead of an erased name. On a board the name is null. */
export const erasedName = 'Deleted player';

/** A registered player, a guest (`guest` is the key: see guests.ts), or neither of both. */
export interface Identity {
  playerId?: string | null | undefined;
  guest?: string | undefined;
}

/** By what somebody is followed. Undefined: nobody can follow them. */
export function keyOf({ playerId, guest }: Identity): string | undefined {
  return playerId ?? guest;
}

/** `followed`: the key of whom the address follows. */
export function isFollowed(who: Identity, followed: string | undefined): boolean {
  return followed !== undefined && keyOf(who) === followed;
}

/** The page of a player, or of a guest in the event. */
export function personAddress(site: SiteSettings, { playerId, guest }: Identity): string | undefined {
  if (playerId) return pathTo(site, `/players/${playerId}`);
  return guest && pathTo(site, guestPath(guest));
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
