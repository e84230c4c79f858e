import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type ColumnValue, valuesInOrder, type TableRow } from './row.ts';

/** Writes rows that are known to be new. It uses COPY, which is several times as fast as inserts. */
export async function copyRows<Column extends string>(
  client: ClientBase,
  table: string,
  columns: readonly Column[],
  rows: TableRow<Column>[],
): Promise<void> {
  if (rows.length === 0) return;
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  const done = finished(stream);
  // Avoids an unhandled rejection. `done` is awaited at the end, and the wait for the drain throws an earlier
  // error.
  done.catch(() => undefined);
  let text = '';
  for (const row of rows) {
    text += `${valuesInOrder(columns, row).map(copyCell).join('\t')}\n`;
    if (text.length < 1 << 18) continue;
    // Wait for the stream to drain, so that a large tournament does not fill the memory. An error ends the
    // wait, too.
    if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
    text = '';
  }
  stream.end(text);
  await done;
}

function copyCell(cell: ColumnValue): string {
  if (cell === null) return '\\N';
  if (typeof cell !== 'string') return String(cell);
  return needsEscape.test(cell) ? cell.replace(everyEscape, (found) => escapes[found] ?? found) : cell;
}

const needsEscape = /[\\\t\n\r]/;
const everyEscape = /[\\\t\n\r]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
