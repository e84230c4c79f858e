/** So that one column has one number of decimals: 18.5 makes 18 into 18.0. */
export function decimalsOf(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) {
    if (!Number.isInteger(value)) most = Math.max(most, Number.isInteger(value * 10) ? 1 : 2);
  }
  return most;
}

/** `8–0–1`: won, drawn, lost. */
export function record({ wins, draws, losses }: { wins: number; draws: number; losses: number }): string {
  return `${wins}–${draws}–${losses}`;
}
