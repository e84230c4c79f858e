import type { RowView } from '../../published/views.ts';
import type { Words } from '../words/en.ts';
import { html, type Html } from '../html.ts';
import { winsDrawsLosses } from './numbers.ts';

/** Longer paths occur only in leagues, and only their newest results are shown. */
const most = 10;

/**
 * Draws the results of a participant as dots, round by round: a disc for a win, half a disc for a draw, a
 * ring for a loss, a square for a bye, and a dotted ring for a battle that is being played. A bar goes
 * through the dots of an unbeaten participant.
 */
export function pathDots(
  words: Words,
  row: Pick<RowView, 'path' | 'playing' | 'wins' | 'draws' | 'losses'>,
  rounds: number,
  shownAtMost = most,
): Html {
  const letters = `${row.path ?? ''}${row.playing === undefined ? '' : 'P'}`;
  const shown = letters.padEnd(rounds, '-').slice(-shownAtMost);
  const spoken = `${winsDrawsLosses(row)}${isUnbeaten(row.path) ? `, ${words.board.unbeaten}` : ''}`;
  return html`<span class="run${isUnbeaten(row.path) && ' unb'}"><span class="vh">${spoken}</span>${shown.split('').map((letter) => dots[letter])}</span>`;
}

/**
 * Returns how many dots the rows of a board need, so that those of one round are below each other. The merged
 * final table has no rounds of its own, and a league has too many.
 */
export const dotsOf = (rows: readonly Pick<RowView, 'path'>[], rounds: number): number =>
  rounds > 0 && rounds <= most ? rounds : Math.max(0, ...rows.map(({ path = '' }) => path.length));

/** Returns true if there are at least two results, one of them from a battle, and no loss. */
function isUnbeaten(path = ''): boolean {
  return /[WD].*[WDB]|B.*[WD]/.test(path) && !path.includes('L');
}

/** The letters are those of `PageOnlyRow.path`, and P for a battle that is being played. */
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

/** Explains the dots that occur in a list. */
export function dotKey(
  { board: t }: Words,
  occurs: (letter: keyof Words['board']['dots']) => boolean,
): Html[] {
  return (['W', 'D', 'L', 'B'] as const)
    .filter(occurs)
    .map((letter) => html`${dot(letter)} ${t.dots[letter]}`);
}

/** Explains the bar through the dots, if anybody here has one. */
export function unbeatenKey({ board: t }: Words, paths: readonly (string | undefined)[]): Html[] {
  return paths.some(isUnbeaten)
    ? [html`<span class="run unb">${dots['W']}${dots['W']}</span> ${t.unbeaten}`]
    : [];
}
