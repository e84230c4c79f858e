import type { AdjustmentView } from '../../published/views.ts';
import type { Words } from '../words/en.ts';
import { html, type Html } from '../html.ts';
import { name } from './names.ts';
import { decimalsOf } from './numbers.ts';

/**
 * Returns the points that an organiser took or gave: `−2`, `+10 VP`. `isInWords` also names battle points.
 */
export function pointsOf(
  { board: t, signed }: Words,
  { battlePoints, victoryPoints, victoryPointsDiff }: AdjustmentView,
  isInWords = false,
): string {
  const part = (value: number | undefined, head: string) =>
    value === undefined ? [] : [`${signed(value, decimalsOf([value]))}${head === '' ? '' : ` ${head}`}`];
  return [
    ...part(battlePoints, isInWords ? t.battlePoints[0] : ''),
    ...part(victoryPoints, t.victoryPoints[0]),
    ...part(victoryPointsDiff, t.difference[0]),
  ].join(', ');
}

/** Returns the points with the reason: `−2 BP: late list`. */
export function penaltyWords(words: Words, adjustment: AdjustmentView): Html {
  const { reason } = adjustment;
  return html`${pointsOf(words, adjustment, true)}${reason !== undefined && html`: ${name(reason)}`}`;
}
