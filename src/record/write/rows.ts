// Makes rows from what the feed sends, by the descriptions of the tables. A member that the feed leaves out
// and one that has the default value give the same row.
import type { ColumnValue } from '../../database/row.ts';
import type { FactsOf, RowOf, SentOf, Table } from '../columns.ts';

/**
 * Has exactly the members of the table. A member that the table does not have, and one that only the table
 * has, are type errors. The caller removes members without a column of their own.
 */
export type Sent<Of extends Table, Given> = Given &
  SentOf<Of> & { [Member in Exclude<keyof FactsOf<Of>, keyof Given>]: unknown } & {
    [Member in Exclude<keyof Given, keyof FactsOf<Of> | 'kind'>]: never;
  };

/** Combines what a record says with what is recorded and with the defaults, in this order of precedence. */
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
  const row: Record<string, ColumnValue> = {};
  for (const { column, member, type, fallback } of list)
    row[column] = cellOf(type, (given as Values)[member] ?? fallback ?? null);
  return row as RowOf<Of>;
}

type Values = Record<string, unknown>;

function cellOf(type: string, value: unknown): ColumnValue {
  if (value === null) return null;
  if (type === 'text[]') return textArray(value as string[]);
  return type === 'jsonb' ? JSON.stringify(value) : (value as ColumnValue);
}

/** Returns a text[] literal for PostgreSQL. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
