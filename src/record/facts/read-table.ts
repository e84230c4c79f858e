// Reads rows by their descriptions. The types follow from the descriptions, and a test compares these with
// the schema.
import type { ClientBase } from 'pg';
import type { Column, FactsOf, StoredOf, Table, ValueOf } from '../columns.ts';

type Queryable = Pick<ClientBase, 'query'>;

/** Columns that are not in the description: those of a joined table, or those that no import writes. */
export type More = Record<string, [from: string, column: Column]>;
type MoreOf<Of extends More | undefined> = Of extends More
  ? { [Name in keyof Of]: ValueOf<Of[Name][1]> }
  : unknown;

/**
 * The text that follows the table in the statement, where its alias is `t`, and the values of its parameters.
 */
type Rest = [rest: string, values: unknown[]];

/** Returns rows by the names of the members. */
export async function readFacts<Of extends Table, Other extends More | undefined = undefined>(
  client: Queryable,
  table: Of,
  [rest, values]: Rest,
  more?: Other,
): Promise<(FactsOf<Of> & MoreOf<Other>)[]> {
  const text = `select ${selected(table, 'member', more)} from ${table.name} t ${rest}`;
  return (await client.query<FactsOf<Of> & MoreOf<Other>>({ text, values })).rows;
}

/**
 * Returns the rows with these keys, by key. Locks are taken in a fixed order, so that two imports cannot
 * deadlock.
 */
export async function readByKey<Of extends Table, Other extends More | undefined = undefined>(
  client: Queryable,
  table: Of,
  keys: string[],
  more?: Other,
  lock: '' | 'for no key update' = '',
): Promise<Map<string, FactsOf<Of> & MoreOf<Other>>> {
  const [key = ''] = table.key;
  const member = table.list.find(({ column }) => column === key)?.member ?? key;
  const rest = `where t.${key} = any($1::text[]) order by t.${key} ${lock}`;
  const all = await readFacts(client, table, [rest, [keys]], more);
  return new Map(all.map((each) => [(each as Record<string, string>)[member] ?? '', each]));
}

/** Returns rows by the names of the columns. */
export async function readRows<Of extends Table, Other extends More | undefined = undefined>(
  client: Queryable,
  table: Of,
  [rest, values]: Rest,
  more?: Other,
): Promise<(StoredOf<Of> & MoreOf<Other>)[]> {
  const text = `select ${selected(table, 'column', more)} from ${table.name} t ${rest}`;
  return (await client.query<StoredOf<Of> & MoreOf<Other>>({ text, values })).rows;
}

/** SQL for the columns, cast to types that the driver reads correctly. */
export const selected = ({ list }: Table, by: 'column' | 'member', more: More = {}): string =>
  [
    ...list.map((each) => `t.${each.column}${casts[each.type] ?? ''} as "${each[by]}"`),
    ...Object.entries(more).map(([name, [from, { type }]]) => `${from}${casts[type] ?? ''} as "${name}"`),
  ].join(', ');

const casts: Record<string, string> = { numeric: '::float8', date: '::text' };
