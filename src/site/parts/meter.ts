import type { NowView } from '../../published/views.ts';
import { html, type Html } from '../html.ts';

/**
 * Draws a segment for each table, filled once its result is in. If there are too many tables, they share one
 * bar.
 */
export function meter({ total: { results, expected }, tables }: Pick<NowView, 'total' | 'tables'>): Html {
  if (expected === null) return emptyMeter;
  if (tables.length === expected) {
    return html`<div class="meter" aria-hidden="true">${tables
      .split('')
      .map((each) => (each === '1' ? html`<i class="in"></i>` : html`<i></i>`))}</div>`;
  }
  return html`<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="all" width="100" height="8"/><rect class="part" width="${((100 * results) / Math.max(expected, 1)).toFixed(1)}" height="8"/></svg>`;
}

/** Takes the height of a meter. */
export const emptyMeter = html`<div class="meter"></div>`;
