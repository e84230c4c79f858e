export type Cell = string | number | bigint | boolean | null;

/** A row as an object with its columns as keys, so that a missing or misspelt column is a type error. */
export type Row<Column extends string = string> = { [name in Column]: Cell };

/**
 * Returns the cells in the order of the columns. COPY and JSON carry cells by position, and only this
 * function gives them one.
 */
export const inOrder = <Column extends string>(columns: readonly Column[], row: Row<Column>): Cell[] =>
  columns.map((column) => row[column]);
