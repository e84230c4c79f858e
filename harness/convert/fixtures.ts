import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { convert, type ConvertOptions } from '../../src/convert/convert.ts';
import { textRows, separators, textOf } from '../../src/convert/dialect.ts';
import type { SheetFile } from '../../src/convert/sheet.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The event of docs/organisers.md as other programs write it. The name of a folder says which program. */
export const dialects = globSync('test/convert/dialects/*', { cwd: root }).toSorted();

const sheetNames = ['event.csv', 'players.csv', 'games.csv'] as const;

export const sheetsIn = (folder: string): SheetFile[] =>
  sheetNames.map((name) => ({ name, bytes: readFileSync(path.join(root, folder, name)) }));

export const newClubs: ConvertOptions = { clubs: { known: [], newClubs: true } };

export function feedOf(sheets: SheetFile[], options = newClubs): string {
  const { feed, refusals } = convert(sheets, options);
  if (feed === undefined) throw new Error(refusals.join('\n'));
  return feed;
}

export const tournamentOf = (feed: string): TournamentRecord =>
  JSON.parse(feed.trim().split('\n').at(-1) ?? '') as TournamentRecord;

/**
 * Changes the rows below the headers of one sheet. The separator stays the same, and the encoding becomes
 * UTF-8.
 */
export function withRows(
  { name, bytes }: SheetFile,
  change: (rows: string[][], headers: string[]) => string[][],
): SheetFile {
  const text = textOf(bytes);
  const rowsBy = separators.map((separator) => ({ separator, rows: textRows(text, separator) }));
  const widest = rowsBy.toSorted((a, b) => widthOf(b.rows) - widthOf(a.rows))[0];
  if (!widest) throw new Error(name);
  const { separator, rows } = widest;
  const filled = rows.map(({ cells }) => cells).filter((cells) => cells.filter(Boolean).length > 1);
  const [headers = [], ...below] = filled;
  const lines = [headers, ...change(below, headers)].map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator),
  );
  return { name, bytes: Buffer.from(`${lines.join('\n')}\n`) };
}

const widthOf = (rows: { cells: string[] }[]): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
