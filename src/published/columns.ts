/**
 * Rows as they are stored: by column, because a large board has 1,000 rows, each result writes all of them,
 * and every row would repeat the names of its members. A list has a value for every row. An object has values
 * only for the rows that it numbers.
 */
export interface Columns<Row> {
  count: number;
  columns: { [Member in keyof Row]?: readonly Row[Member][] | Readonly<Record<number, Row[Member]>> };
}

export function columnsOf<Row extends object>(rows: readonly Row[]): Columns<Row> {
  const found = new Map<string, { rows: number[]; values: unknown[] }>();
  for (const [at, row] of rows.entries()) {
    for (const member in row) {
      const value: unknown = row[member];
      if (value === undefined) continue;
      let column = found.get(member);
      if (column === undefined) found.set(member, (column = { rows: [], values: [] }));
      column.rows.push(at);
      column.values.push(value);
    }
  }
  const columns: Record<string, unknown> = {};
  for (const [member, { rows: some, values }] of found) {
    const isWhole = values.length === rows.length;
    columns[member] = isWhole ? values : Object.fromEntries(some.map((row, at) => [row, values[at]]));
  }
  return { count: rows.length, columns: columns as Columns<Row>['columns'] };
}

/** Adds the values of the columns to these rows, in their order. */
export function withColumns<Known extends object, Row>(
  rows: Known[],
  { count, columns }: Columns<Row>,
): (Known & Row)[] {
  if (rows.length !== count) throw new Error(`${rows.length} rows cannot have columns of ${count}`);
  const filled = rows as Record<string, unknown>[];
  const put = (at: number, member: string, value: unknown) => {
    const row = filled[at];
    if (row !== undefined) row[member] = value;
  };
  for (const [member, values] of Object.entries(columns) as Column[]) {
    if (Array.isArray(values)) for (let at = 0; at < count; at += 1) put(at, member, values[at]);
    else for (const [at, value] of Object.entries(values)) put(Number(at), member, value);
  }
  return rows as (Known & Row)[];
}

type Column = [member: string, values: unknown[] | Record<number, unknown>];

export const rowsOf = <Row>(stored: Columns<Row>): Row[] =>
  withColumns(
    Array.from({ length: stored.count }, () => ({})),
    stored,
  );

/** Returns one row without making the others. */
export function rowAt<Row>({ columns }: Columns<Row>, at: number): Partial<Row> {
  const row: Record<string, unknown> = {};
  for (const [member, values] of Object.entries(columns) as Column[]) {
    // A list can be read in the same way as an object with only a few values.
    const value = (values as Record<number, unknown>)[at];
    if (value !== undefined) row[member] = value;
  }
  return row as Partial<Row>;
}
