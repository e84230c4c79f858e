import { html, type Html } from './html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

// Every name from data sits in <bdi>, so that a name from right to left does not turn the text around it.

export function name(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** What the API shows instead of an erased name. On a board the name is null. */
export const erasedName = 'Deleted player';

/** A player with a page is a link, a guest is not. */
export function person(
  site: SiteSettings,
  { player, playerId }: { player: string | null; playerId: string | null },
): Html {
  if (player === null || (playerId === null && player === erasedName)) {
    return html`<span class="clamp gone">${erasedName}</span>`;
  }
  if (playerId === null) return html`<span class="clamp">${name(player)}</span>`;
  return html`<a class="name" href="${pathTo(site, `/players/${playerId}`)}">${name(player)}</a>`;
}

/** The place of an event: town and country, as far as they are known. */
export function place({ city, country }: { city: string | null; country: string | null }): Html | undefined {
  if (city === null) return country === null ? undefined : name(country);
  return country === null ? name(city) : html`${name(city)}, ${name(country)}`;
}
