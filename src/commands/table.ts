/** Columns a person can read and a script can cut: no borders, two spaces between. */
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

/** A moment for a table: UTC, to the minute. */
export function shortDate(moment: Date | null): string {
  return moment === null ? 'never' : `${moment.toISOString().slice(0, 16)}Z`;
}
