// Writes rows in bulk. Rows of new tournaments are written by COPY. All other rows are written by one
// statement that writes only rows that differ, so that sending the same feed again creates no new row
// versions.
import type { ClientBase } from 'pg';
import { copyRows } from '../../database/copy.ts';
import { valuesInOrder, type TableRow } from '../../database/row.ts';
import type { RowOf, StoredOf, Table } from '../columns.ts';

const rowsAtOnce = 2000;
/**
 * The limit for the JSON of one statement, because Node and PostgreSQL each hold several copies of a
 * parameter.
 */
const charactersAtOnce = 4 * 1024 * 1024;

// This folder uses no named statements. A named statement keeps the plan that suited a small table, and
// tables grow during an import. Planning costs a millisecond for a batch of thousands of rows.

/** Writes rows that are not stored yet. */
export async function copyNewRows<Of extends Table>(
  client: ClientBase,
  table: Of,
  rows: RowOf<Of>[],
): Promise<void> {
  await copyRows<string>(client, table.name, Object.keys(table.columns), rows);
}

/** The source that writes rows, and whether it may change the rows of other sources. */
export interface Writer {
  source: string;
  /** Set for an erasure, and for a trial, which is undone if it changes something. */
  mayChangeOthers?: boolean;
}

/**
 * Updates rows that differ and inserts missing ones. Returns the `returning` columns of the rows that it
 * wrote. Inserted rows belong to the source of the writer; existing rows keep theirs. If another source has
 * inserted a row since the caller looked, the insert repeats its key, so the database refuses the row, and
 * the caller looks again.
 */
export async function upsertRows<Of extends Table, Returned extends keyof Of['columns'] & string>(
  client: ClientBase,
  table: Of,
  rows: RowOf<Of>[],
  returning: Returned[],
  writer?: Writer,
): Promise<Pick<StoredOf<Of>, Returned>[]> {
  const written: Pick<StoredOf<Of>, Returned>[] = [];
  const owner = writer === undefined ? [] : [writer.source];
  for (const values of slices(Object.keys(table.columns), rows)) {
    const text = upsertText(table, returning, writer);
    const result = await client.query<Pick<StoredOf<Of>, Returned>>({ text, values: [values, ...owner] });
    written.push(...result.rows);
  }
  return written;
}

/** Splits the rows into JSON arrays within both limits. A single row may exceed `charactersAtOnce`. */
function* slices(columns: string[], rows: TableRow[]): Generator<string> {
  let slice: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(valuesInOrder(columns, row));
    if (slice.length === rowsAtOnce || (slice.length > 0 && characters + text.length > charactersAtOnce)) {
      yield `[${slice.join(',')}]`;
      slice = [];
      characters = 0;
    }
    slice.push(text);
    characters += text.length;
  }
  if (slice.length > 0) yield `[${slice.join(',')}]`;
}

/** Deletes all rows of these tournaments except `rows`. Returns the tournament of each deleted row. */
export async function deleteMissing<Of extends Table>(
  client: ClientBase,
  table: Of,
  tournamentIds: number[],
  rows: RowOf<Of>[],
): Promise<number[]> {
  if (tournamentIds.length === 0) return [];
  const values = [tournamentIds, JSON.stringify(rows.map((row) => valuesInOrder<string>(table.key, row)))];
  const result = await client.query<{ tournament_id: number }>({
    text: `with kept as materialized (select ${typedCells(table, table.key)} from jsonb_array_elements($2::jsonb) cells)
      delete from ${table.name} t where t.tournament_id = any($1::integer[])
      and not exists (select from kept s where ${sameKey(table)}) returning t.tournament_id`,
    values,
  });
  return result.rows.map((row) => row.tournament_id);
}

function upsertText(table: Table, returning: string[], writer: Writer | undefined): string {
  const columns = Object.keys(table.columns);
  const changeable = columns.filter((column) => !table.key.includes(column));
  const given = returning.map((column) => `t.${column}`).join(', ');
  const whose = writer === undefined || writer.mayChangeOthers ? '' : ' and t.source = $2';
  const only = `${table.only ? ` and t.${table.only}` : ''}${whose}`;
  const update =
    changeable.length === 0
      ? ''
      : `changed as (
      update ${table.name} t set ${changeable.map((column) => `${column} = s.${column}`).join(', ')}
      from given s where ${sameKey(table)}${only}
      and (${changeable.map((column) => `t.${column}`).join(', ')})
        is distinct from (${changeable.map((column) => `s.${column}`).join(', ')})
      returning ${given}),`;
  return `with given as materialized (
      select ${typedCells(table, columns)} from jsonb_array_elements($1::jsonb) cells), ${update}
    added as (
      insert into ${table.name} as t (${columns.join(', ')}${writer ? ', source' : ''})
      select ${columns.join(', ')}${writer ? ', $2' : ''} from given s
      where not exists (select from ${table.name} t where ${sameKey(table)}${only})
      returning ${given})
    ${changeable.length === 0 ? '' : 'select * from changed union all'} select * from added`;
}

const sameKey = (table: Table): string =>
  table.key.map((column) => `t.${column} = s.${column}`).join(' and ');
const typedCells = (table: Table, columns: string[]): string =>
  columns
    .map((column, index) => `(cells->>${index})::${table.columns[column]?.type} as ${column}`)
    .join(', ');
