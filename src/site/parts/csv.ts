// Files for spreadsheets: one header row, then one row for each line.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CsvColumn, csvHeader, csvLine } from '../../text/csv.ts';

export const csvType = 'text/csv; charset=utf-8; header=present';

/** A spreadsheet reads the file as UTF-8 only if it begins with this mark. */
const byteOrderMark = '﻿';

/**
 * Writes a file. Thousands of rows take a tenth of a second, so it is written in pieces and other requests
 * need not wait.
 */
export async function csv<Row>(columns: readonly CsvColumn<Row>[], rows: Iterable<Row>): Promise<string> {
  let text = `${byteOrderMark}${csvHeader(columns)}`;
  let count = 0;
  for (const row of rows) {
    text += csvLine(columns, row);
    count += 1;
    if (count % rowsAtOnce === 0) await nextTurn();
  }
  return text;
}

const rowsAtOnce = 100;

/**
 * Returns the Content-Disposition header. Slugs and the ids of stages contain only characters that are kept.
 */
export function attachment(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name.replaceAll(/[^a-z0-9-]/g, '')}.csv"` };
}
