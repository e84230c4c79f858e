// Makes rows of what the feed sends, by the descriptions of the tables. A member that the feed leaves out and one that
// carries the default give the same row.
import type { Cell } from '../../database/row.ts';
import type { FactsOf, RowOf, SentOf, Table } from '../columns.ts';

/**
 * Exactly the members of the table: one that the table does not have, and one that only the table has, are errors of the
 * type checker. The caller takes out what has no column of its own.
 */
export type Sent<Of extends Table, Given> = Given &
  SentOf<Of> & { [Member in Exclude<keyof FactsOf<Of>, keyof Given>]: unknown } & {
    [Member in Exclude<keyof Given, keyof FactsOf<Of> | 'kind'>]: never;
  };

/** What a record says, over what is recorded, over the defaults. */
export function merged<Of extends Table, Given extends object>(
  { list }: Of,
  given: Sent<Of, Given>,
  before?: FactsOf<Of>,
): FactsOf<Of> {
  const [sent, stored] = [given, before] as [Values, Values | undefined];
  const facts: Values = {};
  for (const { member, fallback } of list)
    facts[member] = (sent[member] === undefined ? stored?.[member] : sent[member]) ?? fallback;
  return facts as FactsOf<Of>;
}

export function rowOf<Of extends Table, Given extends object>(
  { list }: Of,
  given: Sent<Of, Given>,
): RowOf<Of> {
  const row: Record<string, Cell> = {};
  for (const { column, member, type, fallback } of list)
    row[column] = cellOf(type, (given as Values)[member] ?? fallback ?? null);
  return row as RowOf<Of>;
}

type Values = Record<string, unknown>;

function cellOf(type: string, value: unknown): Cell {
  if (value === null) return null;
  if (type === 'text[]') return textArray(value as string[]);
  return type === 'jsonb' ? JSON.stringify(value) : (value as Cell);
}

/** A text[] literal of PostgreSQL. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
