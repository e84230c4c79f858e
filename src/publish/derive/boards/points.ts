// Points have at most two decimals. Sums of binary fractions would not be exact, so we add whole hundredths.

export function sumOfPoints(values: readonly number[]): number {
  return inPoints(values.reduce((sum, value) => sum + inHundredths(value), 0));
}

export function inHundredths(points: number): number {
  return Math.round(points * 100);
}

export function inPoints(hundredths: number): number {
  return hundredths / 100;
}

/** Returns the recorded total, otherwise the sum of the rounds, otherwise null. */
export function victoryPointsOf(side: {
  victoryPoints: number | null;
  rounds?: { victoryPoints: number }[];
}): number | null {
  if (side.victoryPoints !== null) return side.victoryPoints;
  if (side.rounds === undefined || side.rounds.length === 0) return null;
  return sumOfPoints(side.rounds.map((round) => round.victoryPoints));
}
