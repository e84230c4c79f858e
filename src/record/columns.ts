// Describes tables: the words that tables.ts is written in, and the types that follow from a description.
import type { TableRow } from '../database/row.ts';

export interface Column<Value = unknown> {
  /** The type in PostgreSQL. */
  type: string;
  /** The value if the member is left out or null. Absent if the member is required. */
  fallback?: Value;
  /**
   * The name of the member in the feed and in the facts. The default is the name of the column, with
   * `battle_size` as `battleSize`.
   */
  member?: string;
  /** The type of the values that are read from it. Only the type checker uses it. */
  value?: Value;
}

type Columns = Record<string, Column>;

export interface Table<Of extends Columns = Columns> {
  name: string;
  /** The columns that identify a row. */
  key: string[];
  columns: Of;
  /** The columns in order, each with its own name and that of its member. */
  list: (Column & { column: string; member: string })[];
  /** A condition on the rows that this table may change. The writer never touches the others. */
  only?: string;
}

export type RowOf<Of extends Table> = TableRow<keyof Of['columns'] & string>;

/** A row as it is read, by the names of the columns. */
export type StoredOf<Of extends Table> = {
  [Name in keyof Of['columns']]: ValueOf<Of['columns'][Name]>;
};

/** The same row by the names of the members. */
export type FactsOf<Of extends Table> = MembersOf<Of['columns']>;
export type MembersOf<Of extends Columns> = {
  [Name in keyof Of & string as MemberOf<Name, Of[Name]>]: ValueOf<Of[Name]>;
};

/** The values that a row is made from. A member with a default may be left out or null. */
export type SentOf<Of extends Table> = Omit<FactsOf<Of>, Defaulted<Of['columns']>> & {
  [Member in Defaulted<Of['columns']>]?: FactsOf<Of>[Member & keyof FactsOf<Of>] | null | undefined;
};
type Defaulted<Of extends Columns> = {
  [Name in keyof Of & string]: Of[Name] extends { fallback: unknown } ? MemberOf<Name, Of[Name]> : never;
}[keyof Of & string];

export type ValueOf<Of extends Column> = Of extends Column<infer Value> ? Value : never;
type MemberOf<Name extends string, Of> = Of extends { member: infer Member extends string }
  ? Member
  : Camel<Name>;
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export const camel = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Describes a table. It keeps the columns in the type, so that the type checker checks rows, facts and keys.
 */
export const table = <Of extends Columns>({
  name,
  key,
  columns,
}: {
  name: string;
  key: NoInfer<keyof Of & string>[];
  columns: Of;
}): Table<Of> => ({
  name,
  key,
  columns,
  list: listOf(columns),
});

export const listOf = (columns: Columns): Table['list'] =>
  Object.entries(columns).map(([column, each]) => ({ member: camel(column), ...each, column }));

export const of = <Value>(type: string): Column<Value> => ({ type });
export const text = of<string>('text');
export const integer = of<number>('integer');
export const boolean = of<boolean>('boolean');
export const numeric = of<number>('numeric');
export const date = of<string>('date');

/** Describes a column with a default. */
export const or = <Value, Default extends Value | null>(
  { type }: Column<Value>,
  fallback: Default,
): Column<Value | Default> & { fallback: Default } => ({ type, fallback });

/** Describes a column whose member has another name. */
export const as = <Of extends Column, const Member extends string>(
  member: Member,
  column: Of,
): Of & { member: Member } => ({ ...column, member });
