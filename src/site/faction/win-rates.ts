import { html, type Html } from '../parts/html.ts';
import type { WinRate } from './win-rate.ts';
import type { SiteSettings } from '../site-settings.ts';

// A win rate is a dot, its interval a line, 50 % a rule through all rows. Colour never says anything alone.

/** The head of the column with the lines. `reach` is that of the axis. */
export function rangeHead({ words }: SiteSettings, reach: number): Html {
  return html`<th scope="col" class="range"><span class="axis"><span>${50 - reach}</span><span>${words.percent(50, 0)}</span><span>${50 + reach}</span></span></th>`;
}

export function rangeCell({ rate, low, high, says }: WinRate, reach: number): Html {
  const x = (percent: number) => Math.min(100, Math.max(0, 50 + (50 * (percent - 50)) / reach)).toFixed(1);
  const dot = `M${x(rate)} 10h0`;
  return html`<td class="range"><svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="quarter" d="M0 0V20M100 0V20"/><path class="half" d="M50 0V20"/><path class="line" d="M${x(low)} 10H${x(high)}"/><path class="dot" d="${dot}"/>${says === 'few' && html`<path class="hole" d="${dot}"/>`}</svg></td>`;
}

export function rateCell(site: SiteSettings, rated: WinRate): Html {
  const { games, rate, says } = rated;
  const { words } = site;
  const said = words.factions;
  if (games === 0) return html`<td class="n">–</td>`;
  const way =
    says === 'above'
      ? html`▲<span class="vh"> ${said.above}, </span>`
      : says === 'below' && html`▼<span class="vh"> ${said.below}, </span>`;
  return html`<td class="n"><span class="way">${way}</span><span class="strong">${words.number(rate, 1)}</span><span class="sub">${intervalOf(site, rated)}</span></td>`;
}

/** Of the row of a table. */
export function rowClass({ says }: WinRate): Html | undefined {
  if (says === 'either') return undefined;
  return says === 'few' ? html` class="few"` : html` class="sure"`;
}

/** `few: 12 games`, `40 games` */
export function gamesOf({ words }: SiteSettings, { games, says }: WinRate): string {
  const said = words.factions;
  return says === 'few' ? said.few(said.games(games)) : said.games(games);
}

/** `48–55` */
export function intervalOf({ words }: SiteSettings, { low, high }: WinRate, decimals = 0): string {
  return `${words.number(low, decimals)}–${words.number(high, decimals)}`;
}
