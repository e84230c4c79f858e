import { inOneLine } from './help/printable.ts';

/**
 * Prints a table without borders and with two spaces between columns, so that people can read it and scripts
 * can cut it. On a terminal that is too narrow for it, each row becomes a block of lines, one for each
 * column.
 */
export function printTable(head: string[], rows: string[][]): void {
  for (const line of tableLines(head, rows, process.stdout.isTTY ? process.stdout.columns : Infinity))
    console.log(line);
}

export function tableLines(head: string[], given: string[][], columns: number): string[] {
  const rows = given.map((row) => row.map(inOneLine));
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  const table = lines.map((line) => padded(line, widths));
  if (rows.length === 0 || table.every((line) => line.length <= columns)) return table;
  const nameWidth = Math.max(...head.map((name) => name.length));
  const blocks = rows.map((row) =>
    head.map((name, column) => padded([name, row[column] ?? ''], [nameWidth, 0])),
  );
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function padded(cells: string[], widths: number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

/** Formats a time in UTC, to the minute. */
export function shortDate(moment: Date | null): string {
  return moment === null ? 'never' : `${moment.toISOString().slice(0, 16)}Z`;
}

/** Prints the same for scripts, with full times and nulls. */
export function printJson(rows: object): void {
  console.log(JSON.stringify(rows, null, 2));
}
