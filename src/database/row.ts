export type ColumnValue = string | number | bigint | boolean | null;

/** A row as an object with its columns as keys, so that a missing or misspelt column is a type error. */
export type TableRow<Column extends string = string> = { [name in Column]: ColumnValue };

/**
 * Returns the cells in the order of the columns. COPY and JSON carry cells by position, and only this
 * function gives them one.
 */
export const valuesInOrder = <Column extends string>(
  columns: readonly Column[],
  row: TableRow<Column>,
): ColumnValue[] => columns.map((column) => row[column]);
