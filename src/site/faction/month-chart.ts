import { html, type Html } from '../html.ts';
import type { SiteSettings } from '../site-settings.ts';
import { enough, reachOf, type WinRate } from '../../published/win-rate.ts';

export interface MonthRate {
  /** The first day of the month. */
  month: string;
  rated: WinRate;
}

const [left, right, high, low] = [34, 346, 16, 196];

/**
 * Draws the win rate as a line, and its interval as a band with an edge. The table beside it has the numbers.
 */
export function monthChart(site: SiteSettings, title: string, months: readonly MonthRate[]): Html {
  const t = site.words.factions;
  // The axis reaches far enough for every dot, but the interval of a month with few battles may be cut off.
  const dots = months.map(({ rated }) => 5 * Math.ceil(Math.abs(rated.rate - 50) / 5));
  const reach = Math.max(20, reachOf(months.map(({ rated }) => rated)), ...dots);
  const numbers = months.map(({ month }) => monthNumber(month));
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  const x = (index: number) =>
    px(left + ((right - left) * ((numbers[index] ?? 0) - first)) / Math.max(last - first, 1));
  const y = (percent: number) =>
    px(
      low - ((low - high) * (Math.min(50 + reach, Math.max(50 - reach, percent)) - 50 + reach)) / (2 * reach),
    );
  const path = (of: (rated: WinRate) => number) => months.map(({ rated }, i) => `${x(i)} ${y(of(rated))}`);
  const [lower, upper] = [path((rated) => rated.low), path((rated) => rated.high)];
  const ticks = [-2, -1, 0, 1, 2].map((step) => 50 + (step * reach) / 2);
  const rates = months.map(({ rated }) => Math.round(rated.rate));
  // Labels are set from the newest month back, wherever there is room: the faction may not have been played
  // for months.
  const labelled: number[] = [];
  for (let i = months.length - 1; i >= 0; i -= 1) {
    const before = labelled.at(-1);
    const room = months.length <= 12 ? 18 : 34;
    if (before === undefined || Number(x(before)) - Number(x(i)) >= room) labelled.push(i);
  }
  return html`<figure>
<svg class="chart" viewBox="0 0 360 224" role="img" aria-labelledby="ct cd"><title id="ct">${title}</title><desc id="cd">${t.chartDescription(Math.min(...rates), Math.max(...rates))}</desc>
<path class="grid" d="${ticks.map((tick) => `M28 ${y(tick)}H350`).join('')}"/>
<path class="band" d="M${[...lower, ...upper.toReversed()].join('L')}z"/>
<path class="band-edge" d="M${lower.join('L')}M${upper.join('L')}"/>
<path class="fifty" d="M28 ${y(50)}H350"/>
<path class="a" d="M${path((rated) => rated.rate).join('L')}"/>
${months.map(({ rated }, i) => html`<circle class="${rated.says === 'few' ? 'few-dot' : 'a-dot'}" cx="${x(i)}" cy="${y(rated.rate)}" r="4"/>`)}
${ticks.map((tick) => html`<text x="22" y="${px(Number(y(tick)) + 4)}" text-anchor="end">${site.words.number(tick, Number.isInteger(tick) ? 0 : 1)}</text>`)}
${labelled.map((i) => html`<text x="${x(i)}" y="216" text-anchor="middle">${label(site, months[i]?.month ?? '', months.length)}</text>`)}
</svg>
<figcaption class="legend"><span><svg class="key" viewBox="0 0 28 12" aria-hidden="true" focusable="false"><path class="a" d="M0 6h28"/><circle class="a-dot" cx="14" cy="6" r="4"/></svg> ${t.rateInPercent}</span><span><svg class="key" viewBox="0 0 28 12" aria-hidden="true" focusable="false"><rect class="band" width="28" height="12"/><path class="band-edge" d="M0 .5h28M0 11.5h28"/></svg> ${t.confidence}</span><span><svg class="key" viewBox="0 0 28 12" aria-hidden="true" focusable="false"><circle class="few-dot" cx="14" cy="6" r="4"/></svg> ${t.under(enough)}</span></figcaption>
</figure>`;
}

/** Returns one letter for a month if there are at most twelve, otherwise `3/26`. */
function label({ words }: SiteSettings, month: string, many: number): string {
  const [year = '', number = ''] = month.split('-');
  return many <= 12 ? words.monthLetter(month) : `${Number(number)}/${year.slice(-2)}`;
}

function monthNumber(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return 12 * year + number;
}

function px(value: number): string {
  return value.toFixed(1);
}
