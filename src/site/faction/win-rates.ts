import { html, type Html } from '../parts/html.ts';
import { enough, type WinRate } from './win-rate.ts';
import { number } from '../parts/numbers.ts';

// A win rate is a dot, its interval a line, 50 % a rule through all rows. Colour never says anything alone.

/** The head of the column with the lines. `reach` is that of the axis. */
export function rangeHead(reach: number): Html {
  return html`<th scope="col" class="range"><span class="axis"><span>${50 - reach}</span><span>50 %</span><span>${50 + reach}</span></span></th>`;
}

export function rangeCell({ rate, low, high, says }: WinRate, reach: number): Html {
  const x = (percent: number) => Math.min(100, Math.max(0, 50 + (50 * (percent - 50)) / reach)).toFixed(1);
  const dot = `M${x(rate)} 10h0`;
  return html`<td class="range"><svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="quarter" d="M0 0V20M100 0V20"/><path class="half" d="M50 0V20"/><path class="line" d="M${x(low)} 10H${x(high)}"/><path class="dot" d="${dot}"/>${says === 'few' && html`<path class="hole" d="${dot}"/>`}</svg></td>`;
}

export function rateCell({ games, rate, low, high, says }: WinRate): Html {
  if (games === 0) return html`<td class="n">–</td>`;
  const way =
    says === 'above'
      ? html`▲<span class="vh"> above 50 %, </span>`
      : says === 'below' && html`▼<span class="vh"> below 50 %, </span>`;
  return html`<td class="n"><span class="way">${way}</span><span class="strong">${number(rate, 1)}</span><span class="sub">${number(low)}–${number(high)}</span></td>`;
}

/** Of the row of a table. */
export function rowClass({ says }: WinRate): Html | undefined {
  if (says === 'either') return undefined;
  return says === 'few' ? html` class="few"` : html` class="sure"`;
}

export const rangeCaption = html`Dot: win rate, a draw is half. Line: 95 % interval. ▲ ▼ the whole interval is above or below 50 %. Grey, hollow and dotted: under ${enough} games.`;
