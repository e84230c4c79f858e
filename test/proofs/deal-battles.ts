export const numbers = [
  'battlePoints',
  'wins',
  'draws',
  'losses',
  'victoryPoints',
  'victoryPointsDiff',
] as const;
type Numbers = Record<(typeof numbers)[number], number>;

/** What one side of a counted battle adds to its row. */
export interface Gain extends Numbers {
  /** The stage and its round: nobody plays twice in one. */
  round: string;
}

/**
 * Whether the rows can be made of the battles: each battle in exactly one row, in each row at most one of a round, and
 * every number the sum of the row's battles.
 */
export function canBeDealt(gains: readonly Gain[], rows: readonly Numbers[]): boolean {
  const [row, ...others] = rows;
  if (row === undefined) return gains.length === 0;
  for (const left of withoutThoseOf(row, [...Map.groupBy(gains, ({ round }) => round).values()])) {
    if (canBeDealt(left, others)) return true;
  }
  return false;
}

/** Every way to take a row's battles, one or none of each round: what it leaves. */
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

/** Points have two decimals at most. */
export function add(a: number, b: number): number {
  return Math.round((a + b) * 100) / 100 || 0;
}
