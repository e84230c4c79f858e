import { bar } from '../parts/bar.ts';
import { crest } from '../parts/crest.ts';
import { html, type Html } from '../html.ts';
import { name } from '../parts/names.ts';
import type { ListRow } from '../parts/rows.ts';
import { factionAddress } from './address.ts';
import type { FactionQuery } from './query.ts';
import type { WinRate } from '../../published/win-rate.ts';
import type { SiteSettings } from '../site-settings.ts';

/**
 * Returns the row of a faction with its win rate as a number and as a bar. The length of the bar shows how
 * many battles there are, its coloured part how many of them were won.
 */
export function rateRow(
  site: SiteSettings,
  faction: string,
  rated: WinRate,
  { asked, most, more = [] }: { asked: FactionQuery; most: number; more?: readonly string[] },
): ListRow {
  const { games, rate, says } = rated;
  return {
    crest: crest(faction),
    title: html`<a class="name" href="${factionAddress(site, faction, asked)}">${name(faction)}</a>${bar(games, (games * rate) / 100, most)}`,
    lines: [html`${[gamesOf(site, rated), ...more].join(' · ')}`],
    end: rateEnd(site, rated),
    isFew: says === 'few',
  };
}

/** Writes the win rate. An arrow and hidden text repeat what the colour says. */
function rateEnd(site: SiteSettings, rated: WinRate): Html {
  const { games, rate, says } = rated;
  const { words } = site;
  const t = words.factions;
  if (games === 0) return html`–`;
  const way =
    says === 'above'
      ? html`<span class="up">▲<span class="vh"> ${t.above}, </span></span> `
      : says === 'below' && html`▼<span class="vh"> ${t.below}, </span> `;
  return html`<b>${way}${words.percent(rate, 1)}</b><span class="sub">${intervalOf(site, rated)}</span>`;
}

/** Returns `too few games to say (12)` or `40 games`. */
function gamesOf({ words }: SiteSettings, { games, says }: WinRate): string {
  const t = words.factions;
  return says === 'few' ? t.few(games) : t.games(games);
}

/** Returns the interval as `48–55`. */
export function intervalOf({ words }: SiteSettings, { low, high }: WinRate, decimals = 0): string {
  return `${words.number(low, decimals)}–${words.number(high, decimals)}`;
}
