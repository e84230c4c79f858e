import type { Tournament } from '../../contract/tournament.ts';
import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { PlayerNow } from '../player/statements.ts';
import { sidesWithGuests } from '../parts/guests.ts';
import { type Identity, name, person } from '../parts/names.ts';
import { addressOf } from '../parts/pager.ts';

/** Where a player is in a running event: the table, the opponent, the place so far. */
export function playsNow(
  site: SiteSettings,
  id: string,
  event: Omit<Tournament, 'url'>,
  { place, battle, match }: PlayerNow,
): Html {
  const said = site.words.player;
  const link = html`<a href="${addressOf(site, `/tournaments/${event.slug}`, { player: id })}">${name(event.name)}</a>`;
  const where = () => {
    if (!place?.rank) return said.takesPart(link);
    return place.group
      ? said.placeInGroup(place.rank, name(place.group), link)
      : said.placeSoFar(place.rank, event.players, link);
  };
  const game = battle ?? match;
  const sides = game ? sidesWithGuests(site, event.slug, game.players, game.entries ?? []) : [];
  const other = sides.find(({ playerId }) => playerId !== id);
  return html`<div class="today">
${game && openGame(site, game.id, game.table, other)}
<p>${where()}</p>
</div>
`;
}

/** A match of a bracket may have no battle yet, so it has no page. */
export function openGame(
  site: SiteSettings,
  id: string | null,
  table: number | null,
  other: (Identity & { player: string }) | undefined,
): Html {
  const { words } = site;
  const text = table === null ? words.player.playingNow : words.player.playingAt(table);
  return html`<p class="big">${id === null ? text : html`<a href="${pathTo(site, `/battles/${id}`)}">${text}</a>`}</p>
${other && html`<p class="against">${words.battle.versus} ${person(site, other)}</p>`}`;
}
