export type Cell = string | number | bigint | boolean | null;

/** A row by the names of its columns: a missing or a misspelt column is a type error. */
export type Row<Column extends string = string> = { [name in Column]: Cell };

/** COPY and JSON carry cells by position. This is the only place that gives them one. */
export const inOrder = <Column extends string>(columns: readonly Column[], row: Row<Column>): Cell[] =>
  columns.map((column) => row[column]);
