import type { Tournament } from '../../contract/tournament.ts';
import { html, type Html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import type { OpenGame, PlayerNow } from '../player/statements.ts';
import { name, person } from '../parts/names.ts';
import { number, ordinal } from '../parts/numbers.ts';
import { addressOf } from '../parts/pager.ts';

/** Where a player is in a running event: the table, the opponent, the place so far. */
export function playsNow(
  site: SiteSettings,
  id: string,
  event: Omit<Tournament, 'url'>,
  { place, battle, match }: PlayerNow,
): Html {
  const of = place?.group ? html`in ${name(place.group)}` : `of ${number(event.players)}`;
  const game = battle ?? match;
  return html`<div class="today">
${game && openGame(site, id, game)}
<p>${place?.rank ? html`${ordinal(place.rank)} ${of} so far at` : 'Takes part in'} <a href="${addressOf(site, `/tournaments/${event.slug}`, { player: id })}">${name(event.name)}</a></p>
</div>
`;
}

/** A match of a bracket may have no battle yet, so it has no page. */
function openGame(site: SiteSettings, own: string, { id, table, players }: OpenGame): Html {
  const words = `Playing now${table === null ? '' : `: table ${table}`}`;
  const other = players.find(({ playerId }) => playerId !== own);
  return html`<p class="big">${id === null ? words : html`<a href="${pathTo(site, `/battles/${id}`)}">${words}</a>`}</p>
${other && html`<p class="against">vs ${person(site, other)}</p>`}`;
}
