/** No borders and two spaces between columns, so that people can read the table and scripts can cut it. */
export function printTable(head: string[], rows: string[][]): void {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** UTC, to the minute. */
export function shortDate(moment: Date | null): string {
  return moment === null ? 'never' : `${moment.toISOString().slice(0, 16)}Z`;
}

/** For scripts: the same rows, with whole moments and nulls. */
export function printJson(rows: readonly object[]): void {
  console.log(JSON.stringify(rows, null, 2));
}
