import type { Table } from '../tables.ts';

/** The columns of a table for a `select`, under the names of the facts: `battle_tactics as "battleTactics"`. */
export function factColumns({ columns }: Table): string {
  return Object.keys(columns)
    .map((column) => {
      const fact = camel(column);
      return fact === column ? column : `${column} as "${fact}"`;
    })
    .join(', ');
}

/** `battle_tactics` is `battleTactics`. */
export const camel = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
