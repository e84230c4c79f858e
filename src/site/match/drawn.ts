import type { DrawnWin } from '../../published/views.ts';
import { decimalsOf } from '../parts/numbers.ts';
import type { Words } from '../words/en.ts';

/** Returns the sentence that says what decided a drawn battle, without a full stop. */
export function drawnSentence({ battle, number }: Words, { isByPoints, points }: DrawnWin): string {
  if (!isByPoints) return battle.byOrganiser;
  return battle.onTieBreak(points.map((each) => number(each, decimalsOf(points))).join('–'));
}
