// Files for spreadsheets: one header row, then one row for each line, as RFC 4180 writes them.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Null and undefined become an empty cell. */
export type Cell = string | number | boolean | null | undefined;

export const csvType = 'text/csv; charset=utf-8; header=present';

/** A spreadsheet takes the file for UTF-8 only when it begins with this mark. */
const byteOrderMark = '﻿';

/** A column of a file. Its header and its cells cannot get out of step. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => Cell;
}

/** A file of thousands of rows takes a tenth of a second. It is made in pieces, so that other requests need not wait. */
export async function csv<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Promise<string> {
  let text = `${byteOrderMark}${columns.map(({ header }) => header).join(',')}\r\n`;
  let count = 0;
  for (const row of rows) {
    text += `${columns.map((column) => written(column.cell(row))).join(',')}\r\n`;
    count += 1;
    if (count % rowsAtOnce === 0) await nextTurn();
  }
  return text;
}

const rowsAtOnce = 100;

/**
 * Some spreadsheets run text that begins like a formula, also with the full-width signs of East Asian keyboards. An apostrophe in
 * front of it makes it text again. A spreadsheet that takes `;` or a tab for the end of a cell sees a beginning behind them.
 */
const formula = /(^|[;\t])(?=[=+\-@\t\r＝＋－＠])/g;

function written(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = value.replaceAll(formula, "$1'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** For Content-Disposition. Slugs and stages have no other characters. */
export function attachment(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name.replaceAll(/[^a-z0-9-]/g, '')}.csv"` };
}
