import type { RowView } from '../../published/views.ts';
import type { Words } from '../words/en.ts';
import { html, type Html } from '../html.ts';
import { record } from './numbers.ts';

/** Longer paths belong to leagues: only the newest results fit. */
const most = 10;

/**
 * The results of somebody as dots, round by round: a disc for won, half a disc for drawn, a ring for lost, a square for a bye,
 * a dotted ring for a game that is being played. A bar goes through the dots of somebody unbeaten.
 */
export function pathDots(
  words: Words,
  row: Pick<RowView, 'path' | 'playing' | 'wins' | 'draws' | 'losses'>,
  rounds: number,
  shownAtMost = most,
): Html {
  const letters = `${row.path ?? ''}${row.playing === undefined ? '' : 'P'}`;
  const shown = (rounds <= shownAtMost ? letters.padEnd(rounds, '-') : letters).slice(-shownAtMost);
  const spoken = `${record(row)}${isUnbeaten(row.path) ? `, ${words.board.unbeaten}` : ''}`;
  return html`<span class="run${isUnbeaten(row.path) && ' unb'}"><span class="vh">${spoken}</span>${shown.split('').map((letter) => dots[letter])}</span>`;
}

/** Said only from two results on. */
function isUnbeaten(path = ''): boolean {
  return /[WD].*[WDB]|B.*[WD]/.test(path) && !path.includes('L');
}

/** The letters are those of `BesideRow.path`, and P for a game that is being played. */
const dots: Record<string, Html> = {
  W: html`<i class="w"></i>`,
  D: html`<i class="x"></i>`,
  L: html`<i class="l"></i>`,
  B: html`<i class="b"></i>`,
  P: html`<i class="p"></i>`,
  '-': html`<i class="t"></i>`,
};

export const dot = (letter: 'W' | 'D' | 'L' | 'B' | 'P' | '-'): Html =>
  html`<span class="run">${dots[letter]}</span>`;
