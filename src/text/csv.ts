// Cells and lines of files for spreadsheets, as RFC 4180 writes them.

/** Null and undefined become an empty cell. */
export type Cell = string | number | boolean | null | undefined;

/** A column of a file. Its header and its cells cannot get out of step. */
export interface Column<Row> {
  header: string;
  cell: (row: Row) => Cell;
}

export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ header }) => header).join(',')}\r\n`;
}

export function csvLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  return `${columns.map(({ cell }) => written(cell(row))).join(',')}\r\n`;
}

/**
 * Some spreadsheets run text that begins like a formula, also with the full-width signs of East Asian keyboards. An apostrophe in
 * front of it makes it text again. A spreadsheet that takes `;` or a tab for the end of a cell sees a beginning behind them, and
 * behind a line break, because it does not see the quotes. It may take quotation marks there for an empty quoted text. An empty
 * line is harmless.
 */
const formula = /(^|[;\t\r\n])(?="*[=+\-@\t＝＋－＠]|(?<![\r\n])\r)/g;

function written(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = value.replaceAll(formula, "$1'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
