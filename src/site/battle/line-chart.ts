import { html, type Html } from '../html.ts';
import type { Words } from '../words/en.ts';

/**
 * A chart of two lines over the same points, drawn as SVG without a library. The text around it says the
 * same.
 */
export interface LineChart {
  title: string;
  /**
   * `corner` is the text under the origin, `labels` are those under the other points: `Round`, `1`, `2`, …,
   * `End`.
   */
  corner: string;
  labels: readonly string[];
  decimals: number;
  first: Curve;
  second: Curve;
}

interface Curve {
  name: string;
  /** One value for each label. The line begins at 0 and skips unknown values. */
  values: readonly (number | undefined)[];
}

export function lineChart(words: Words, chart: LineChart): Html {
  const { number } = words;
  const { title, corner, labels, decimals, first, second } = chart;
  const all = [0, ...first.values, ...second.values].filter((value) => value !== undefined);
  const { ticks, bottom, top } = scaleOf(Math.min(...all), Math.max(...all));
  const [firstLast, secondLast] = [lastOf(first), lastOf(second)];
  const ends = [firstLast, secondLast].map((end) => (end === undefined ? '' : number(end, decimals)));
  const left = Math.max(28, 8 + 7 * Math.max(...ticks.map((tick) => number(tick).length)));
  const right = 344 - 9 * Math.max(...ends.map((end) => end.length));
  const x = (index: number) => left + ((right - left) * index) / labels.length;
  const y = (value: number) => low - ((low - high) * (value - bottom)) / (top - bottom);
  const every = Math.ceil(labels.length / 12);
  const line = (kind: string, { values }: Curve) => {
    // If the first round is unknown, so is the line that leads to it.
    const start = values[0] === undefined ? undefined : 0;
    const points = [start, ...values].flatMap((value, i) =>
      value === undefined ? [] : [`${px(x(i))},${px(y(value))}`],
    );
    return points.length > 1 && html`<polyline class="${kind}" points="${points.join(' ')}"/>`;
  };
  const [firstEnd, secondEnd] = apart(y(firstLast ?? 0), y(secondLast ?? 0));
  return html`<svg class="chart" viewBox="0 0 360 224" role="img" aria-labelledby="ct cd">
<title id="ct">${title}</title>
<desc id="cd">${t(words, first, decimals)}; ${t(words, second, decimals)}.</desc>
${ticks.map((tick) => html`<line class="grid" x1="${px(left)}" x2="${px(right)}" y1="${px(y(tick))}" y2="${px(y(tick))}"/><text x="${px(left - 6)}" y="${px(y(tick) + 4)}" text-anchor="end">${number(tick)}</text>`)}
${x(1) - left > 34 && html`<text x="${px(left)}" y="216" text-anchor="middle">${corner}</text>`}
${labels.map((label, i) => (labels.length - 1 - i) % every === 0 && html`<text x="${px(x(i + 1))}" y="216" text-anchor="middle">${label}</text>`)}
${line('b', second)}${line('a', first)}
${second.values.map((value, i) => value !== undefined && html`<rect class="b-dot" x="${px(x(i + 1) - 3.5)}" y="${px(y(value) - 3.5)}" width="7" height="7"/>`)}
${first.values.map((value, i) => value !== undefined && html`<circle class="a-dot" cx="${px(x(i + 1))}" cy="${px(y(value))}" r="4.5"/>`)}
<text class="end" x="${px(right + 9)}" y="${px(firstEnd)}">${ends[0]}</text><text class="end" x="${px(right + 9)}" y="${px(secondEnd)}">${ends[1]}</text>
</svg>`;
}

/** A sample of the line with its symbol, shown before the name that it belongs to. */
export const firstKey = html`<svg class="key" viewBox="0 0 28 12" aria-hidden="true" focusable="false"><path class="a" d="M0 6h28"/><circle class="a-dot" cx="14" cy="6" r="3.2"/></svg>`;
export const secondKey = html`<svg class="key" viewBox="0 0 28 12" aria-hidden="true" focusable="false"><path class="b" d="M0 6h28"/><rect class="b-dot" x="11" y="3" width="6" height="6"/></svg>`;

/** The top and the bottom of the plot area. */
const high = 12;
const low = 196;

/**
 * Places the grid lines at multiples of 1, 2 or 5 times a power of ten. A chart that starts at 0 has at most
 * five lines above it.
 */
function scaleOf(least: number, most: number): { ticks: number[]; bottom: number; top: number } {
  const span = Math.max(most - least, 1);
  const power = 10 ** Math.floor(Math.log10(span / 5));
  const step =
    [1, 2, 5, 10].map((each) => each * Math.max(power, 1)).find((each) => span <= 5 * each) ?? span;
  const bottom = Math.floor(least / step) * step;
  const top = Math.max(Math.ceil(most / step) * step, bottom + step);
  const count = Math.round((top - bottom) / step);
  return { ticks: Array.from({ length: count + 1 }, (_, i) => bottom + i * step), bottom, top };
}

/** Returns the heights at which the last values are written, moved apart so that neither covers the other. */
function apart(first: number, second: number): [number, number] {
  const middle = Math.min(Math.max((first + second) / 2, high + 8), low - 8);
  if (Math.abs(first - second) >= 16) return [first + 5, second + 5];
  return first <= second ? [middle - 3, middle + 13] : [middle + 13, middle - 3];
}

function lastOf({ values }: Curve): number | undefined {
  return values.findLast((value) => value !== undefined);
}

function t({ number, battle }: Words, { name, values }: Curve, decimals: number): string {
  const known = values.filter((value) => value !== undefined);
  return `${name} ${known.map((value) => number(value, decimals)).join(', ') || battle.notNoted}`;
}

function px(value: number): string {
  return value.toFixed(1);
}
