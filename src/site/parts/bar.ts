import { html, type Html } from '../html.ts';

/**
 * Draws a bar whose length is `all` compared with `longest`, and whose coloured part is `part`. The text
 * beside it says the same.
 */
export function bar(all: number, part: number, longest: number): Html {
  const width = (count: number) => ((100 * count) / Math.max(longest, 1)).toFixed(1);
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="${width(all)}" height="10"/><rect class="part" width="${width(part)}" height="10"/></svg>`;
}
