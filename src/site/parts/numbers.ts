/**
 * Returns how many decimals a column needs, so that all its numbers have the same: beside 18.5, 18 becomes
 * 18.0.
 */
export function decimalsOf(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) {
    if (!Number.isInteger(value)) most = Math.max(most, Number.isInteger(value * 10) ? 1 : 2);
  }
  return most;
}

/** Returns `8–0–1`: won, drawn, lost. */
export function winsDrawsLosses({
  wins,
  draws,
  losses,
}: {
  wins: number;
  draws: number;
  losses: number;
}): string {
  return `${wins}–${draws}–${losses}`;
}
