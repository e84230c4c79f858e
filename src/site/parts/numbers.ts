/** `1,234`, `18.5`, with a real minus sign. */
export function number(value: number, decimals = 0): string {
  return written(Math.abs(value), value < 0 ? minus : '', decimals);
}

/** With its sign: `+160`, `−2`, `0`. */
export function signed(value: number, decimals = 0): string {
  if (value === 0) return written(0, '', decimals);
  return written(Math.abs(value), value < 0 ? minus : '+', decimals);
}

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

/** `1st`, `22nd`, `113th`. */
export function ordinal(place: number): string {
  const isTeen = place % 100 >= 11 && place % 100 <= 13;
  return `${place}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`;
}

/** `1 player`, `2 players`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

const minus = '−';

function written(size: number, sign: string, decimals: number): string {
  // Most numbers of a page are of this kind.
  if (size < 1_000 && Number.isInteger(size)) {
    return decimals === 0 ? `${sign}${size}` : `${sign}${size}.${'0'.repeat(decimals)}`;
  }
  const [whole = '', part] = size.toFixed(decimals).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? `${sign}${grouped}` : `${sign}${grouped}.${part}`;
}
