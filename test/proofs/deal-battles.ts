export const numbers = [
  'battlePoints',
  'wins',
  'draws',
  'losses',
  'victoryPoints',
  'victoryPointsDiff',
] as const;
type Numbers = Record<(typeof numbers)[number], number>;

/** The numbers that one side of a counted battle adds to its row. */
export interface Gain extends Numbers {
  /** The stage and its round. A player plays at most once in a round. */
  round: string;
}

/**
 * Whether the battles can be assigned to the rows: each battle to exactly one row, and to each row at most one battle
 * of a round, so that every number is the sum of the row's battles.
 */
export function canBeDealt(gains: readonly Gain[], rows: readonly Numbers[]): boolean {
  const [row, ...others] = rows;
  if (row === undefined) return gains.length === 0;
  for (const left of withoutThoseOf(row, [...Map.groupBy(gains, ({ round }) => round).values()])) {
    if (canBeDealt(left, others)) return true;
  }
  return false;
}

/** For every way to choose the row's battles, at most one of each round: the battles that are left. */
function* withoutThoseOf(row: Numbers, rounds: readonly Gain[][]): Generator<Gain[]> {
  const [round, ...later] = rounds;
  if (round === undefined) {
    if (numbers.every((name) => row[name] === 0)) yield [];
    return;
  }
  for (const taken of [undefined, ...round]) {
    const rest = taken === undefined ? row : less(row, taken);
    if (rest.wins < 0 || rest.draws < 0 || rest.losses < 0) continue;
    const left = round.filter((gain) => gain !== taken);
    for (const others of withoutThoseOf(rest, later)) yield [...left, ...others];
  }
}

function less(row: Numbers, gain: Gain): Numbers {
  const rest = { ...row };
  for (const name of numbers) rest[name] = add(row[name], -gain[name]);
  return rest;
}

/** Exact, because points have at most two decimals. */
export function add(a: number, b: number): number {
  return Math.round((a + b) * 100) / 100 || 0;
}
