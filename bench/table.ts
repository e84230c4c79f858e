import { type Column, columns, type MeasuredEndpoint } from './columns.ts';

/** Returns tables of the rates, and of what was asked for. */
export function columnTables(measured: MeasuredEndpoint[]): string[] {
  return [
    'Answers a second: median (least–most)',
    ...table([
      ['', ...columns],
      ...measured.map((each) => [each.endpoint, ...columns.map((column) => rate(each, column))]),
    ]),
    '',
    'Answers that were asked for: number × mean size',
    ...table([
      ['', 'cold', 'CACHE_MB', 'hot'],
      ...measured.map((each) => [
        each.endpoint,
        `${each.coldKeys} × ${each.coldBytes}`,
        String(each.coldCacheMb),
        `${each.hotKeys} × ${each.hotBytes}`,
      ]),
    ]),
  ];
}

function rate({ columns: rates }: MeasuredEndpoint, column: Column): string {
  const spread = rates[column];
  if (spread === undefined) return '–';
  return `${Math.round(spread.median)} (${Math.round(spread.least)}–${Math.round(spread.most)})`;
}

export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
}
