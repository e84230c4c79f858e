import { ratioOf } from './bars.ts';
import { type Column, columns, type MeasuredEndpoint } from './columns.ts';

/** The rates, then their ratios to `pg` and to `map`. */
export function columnTables(measured: MeasuredEndpoint[]): string[] {
  return [
    'Answers a second: median (least–most)',
    ...table([
      ['', ...columns],
      ...measured.map((each) => [each.endpoint, ...columns.map((column) => rate(each, column))]),
    ]),
    '',
    'Ratio to pg / to map',
    ...table([
      ['', ...columns],
      ...measured.map((each) => [each.endpoint, ...columns.map((column) => ratios(each, column))]),
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
  if (spread === undefined) return column === 'pg' ? 'no pgbench' : '–';
  return `${Math.round(spread.median)} (${Math.round(spread.least)}–${Math.round(spread.most)})`;
}

function ratios(each: MeasuredEndpoint, column: Column): string {
  return [ratioOf(each, column, 'pg'), ratioOf(each, column, 'map')]
    .map((ratio) => ratio?.toFixed(2) ?? '–')
    .join(' / ');
}

export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
}
