// Reads the values of cells as people write them: numbers, dates, yes and no.
import { isCalendarDate } from '../contract/patterns.ts';
import type { NamedCell } from './findings.ts';
import { byWord, headerKey } from './headers.ts';

export type DateOrder = 'dmy' | 'mdy';

/** Returns undefined if the cell is empty or refused. */
export function wholeNumberInCell(
  cell: NamedCell,
  least: number,
  max: number,
  what = 'a whole number',
): number | undefined {
  // "1.", "#1" and "Table 1" are ordinary ways to write a rank, a number or a table.
  const plain = cell.text.replace(/^[\p{L}#°º. ]+(?=\d)/u, '').replace(/(?<=\d)(?:\.|st|nd|rd|th)$/, '');
  if (isEmpty(cell)) return undefined;
  if (isTooNarrow(cell)) return cell.refuse(wider);
  const value = numberOf(plain);
  if (value !== undefined && Number.isInteger(value) && value >= least && value <= max) return value;
  return cell.refuse(`${what} between ${least} and ${max}`);
}

/** Reads the points of a game. A dash counts as an empty cell. */
export function pointsInCell(cell: NamedCell): number | undefined {
  if (isEmpty(cell)) return undefined;
  if (isTooNarrow(cell)) return cell.refuse(wider);
  const value = numberOf(cell.text);
  if (value !== undefined && Math.abs(value) <= 1_000_000 && Math.round(value * 100) / 100 === value)
    return value;
  return cell.refuse('a number with at most two decimals');
}

/** Returns true if the cell is empty. A dash counts as empty, too. */
export const isEmpty = ({ text }: NamedCell): boolean => /^[-–—]?$/.test(text);

/**
 * Returns true if the cell shows that its column is too narrow. Excel saves the signs instead of the date or
 * the number.
 */
const isTooNarrow = ({ text }: NamedCell): boolean => /^#{2,}$/.test(text);

const wider = 'a date or a number (make the column wider, and save the sheet again)';

const fractions: Record<string, string> = { '½': '.5', '¼': '.25', '¾': '.75' };

/**
 * Parses a number, with a point or a comma as the decimal sign. Points have at most two decimals, so 2.000
 * and 2,000 are two thousand.
 */
function numberOf(text: string): number | undefined {
  const plain = text
    .replaceAll(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')
    .replace('−', '-')
    .replace(/[½¼¾]$/, (sign) => fractions[sign] ?? '');
  const thousands = /^-?[1-9]\d{0,2}(?:([.,])\d{3}(?:\1\d{3})*)(?:(?!\1)[.,]\d{1,2})?$/.exec(plain);
  const decimal = thousands ? plain.replaceAll(thousands[1] ?? '', '') : plain;
  return /^-?\d*[.,]?\d+$/.test(decimal) ? Number(decimal.replace(',', '.')) : undefined;
}

export function yesOrNo(cell: NamedCell): boolean | undefined {
  if (cell.text === '') return undefined;
  const word = yesNo.get(headerKey(cell.text));
  return word === undefined ? cell.refuse('yes or no') : word === 'yes';
}

const yesNo = byWord({
  yes: 'yes, y, x, true, 1; ja, j, wahr; oui, o, vrai; si, s, verdadero; vero; tak, t, prawda',
  no: 'no, n, false, 0, nein, falsch; non, faux; falso; nie, falsz',
});

/** Reads a calendar date. Without `order`, a date like 05/11/2026 is refused because it has two readings. */
export function calendarDate(cell: NamedCell, order: DateOrder | undefined): string | undefined {
  const { text } = cell;
  if (text === '') return undefined;
  if (isTooNarrow(cell)) return cell.refuse(wider);
  const day = text.replace(/[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AP]M|Z)?$/i, '');
  const [, first = '', sign, second = '', end = ''] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|(?<!-)\d{2})$/.exec(day.replaceAll(/\. /g, '.')) ?? [];
  const year = end.length === 2 ? `20${end}` : end;
  const written = (month: string, date: string): string =>
    `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const dmy = written(second, first);
  const mdy = written(first, second);
  const readings =
    sign === undefined
      ? [day.replaceAll('/', '-')]
      : order === 'mdy'
        ? [mdy]
        : order === 'dmy' || sign === '.'
          ? [dmy]
          : [dmy, mdy];
  const possible = [...new Set(readings.filter(isCalendarDate))];
  if (possible.length === 1) return possible[0];
  if (possible.length === 2) return cell.refuse('a date with one reading (say --dates dmy or --dates mdy)');
  return cell.refuse('a date like 2026-11-14, 14.11.2026 or 11/14/2026');
}
