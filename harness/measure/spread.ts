export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function spreadOf(numbers: number[]): Spread {
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    median: round(median(numbers)),
    least: round(Math.min(...numbers)),
    most: round(Math.max(...numbers)),
  };
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return quantile(sorted, 0.5);
}

/** Returns a quantile of sorted numbers. */
export function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
