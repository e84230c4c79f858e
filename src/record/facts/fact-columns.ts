import type { Table } from '../tables.ts';

/** The columns of a table for a `select`, cast to types that the driver reads correctly. */
export const storedColumns = ({ columns }: Table, alias = 't'): string =>
  Object.entries(columns)
    .map(([column, type]) => `${alias}.${column}${casts[type] ?? ''} as ${column}`)
    .join(', ');

/** The same under the names of the facts: `battle_tactics as "battleTactics"`. */
export const factColumns = ({ columns }: Table): string =>
  Object.entries(columns)
    .map(([column, type]) => `${column}${casts[type] ?? ''} as "${camel(column)}"`)
    .join(', ');

const casts: Record<string, string> = { numeric: '::float8', date: '::text' };

/** `battle_tactics` is `battleTactics`. */
export const camel = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
