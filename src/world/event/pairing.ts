/** Pairings as indexes into the field, best table first. */
export interface DrawnPairing {
  readonly pairs: readonly (readonly [number, number])[];
  readonly bye: number | undefined;
}

/**
 * Pairs a field of that many players, best first, for a Swiss round: each meets the next player whom they
 * have not met. If that leaves somebody without an opponent, the last pairs are tried in another way. With an
 * odd number, the lowest player who has not had a bye gets one.
 *
 * `met(a, b)` returns true if these two have already played. `hadBye(a)` returns true if this player has
 * already had a bye.
 */
export function pair(
  players: number,
  met: (a: number, b: number) => boolean,
  hadBye: (a: number) => boolean,
): DrawnPairing {
  const field = Array.from({ length: players }, (_, index) => index);
  const bye = players % 2 === 1 ? (field.findLast((player) => !hadBye(player)) ?? players - 1) : undefined;
  const paired = field.filter((player) => player !== bye);
  // This is enough for any field whose players have met a few of the others. Without a limit, a field in
  // which all have met all would go through every possible pairing.
  const triesLeft = { count: 100 * players };
  const pairs = pairFrom(paired, met, triesLeft) ?? pairFrom(paired, () => false, { count: players });
  return { pairs: pairs ?? [], bye };
}

/**
 * Returns undefined if there is no way without a rematch, or if none was found within the number of tries.
 */
function pairFrom(
  [first, ...others]: readonly number[],
  met: (a: number, b: number) => boolean,
  triesLeft: { count: number },
): [number, number][] | undefined {
  if (first === undefined) return [];
  for (const other of others) {
    triesLeft.count -= 1;
    if (triesLeft.count < 0) return undefined;
    if (met(first, other)) continue;
    const rest = pairFrom(
      others.filter((player) => player !== other),
      met,
      triesLeft,
    );
    if (rest !== undefined) return [[first, other], ...rest];
  }
  return undefined;
}
