// Cells and lines of files for spreadsheets, in the syntax of RFC 4180.

/** The value of a cell. Null and undefined become an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/** A column of a file. It has both the header and the cells, so the two cannot get out of step. */
export interface CsvColumn<Row> {
  header: string;
  cell: (row: Row) => CsvCell;
}

export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `${columns.map(({ header }) => header).join(',')}\r\n`;
}

export function csvLine<Row>(columns: readonly CsvColumn<Row>[], row: Row): string {
  return `${columns.map(({ cell }) => written(cell(row))).join(',')}\r\n`;
}

/**
 * Matches positions at which a spreadsheet might see the beginning of a formula, where an apostrophe makes it
 * text again.
 *
 * Some spreadsheets run text that begins like a formula, even with the full-width signs of East Asian
 * keyboards. One that treats `;` or a tab as the end of a cell sees a beginning after it, and also after a
 * line break, because it does not recognise the quotes. It may take quotation marks there for an empty quoted
 * text. An empty line is harmless.
 */
const formula = /(^|[;\t\r\n])(?="*[=+\-@\t＝＋－＠]|(?<![\r\n])\r)/g;

function written(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = value.replaceAll(formula, "$1'");
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
