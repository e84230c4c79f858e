export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function spreadOf(numbers: number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    median: round(quantile(sorted, 0.5)),
    least: round(Math.min(...sorted)),
    most: round(Math.max(...sorted)),
  };
}

/** Of sorted numbers. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
