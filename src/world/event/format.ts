// The stages of an event: `swiss` or `groups`, then others, for example `swiss+knockout+placements+placement-swiss`.
export interface Format {
  readonly grouped: boolean;
  readonly knockout: boolean;
  /** Small brackets for the places below the final. */
  readonly placements: boolean;
  /** A second board for all players outside the knockout. Without a knockout it is for all players. */
  readonly placementSwiss: boolean;
}

/** Throws a RangeError that names the mistake. */
export function parseFormat(text: string): Format {
  const [base, ...parts] = text.split('+');
  const known = new Set(['knockout', 'placements', 'placement-swiss']);
  const wrong = parts.find((part, i) => !known.has(part) || parts.indexOf(part) !== i);
  if ((base !== 'swiss' && base !== 'groups') || wrong !== undefined) {
    throw new RangeError(
      `"${text}" is not a format: swiss or groups, then any of +knockout, +placements, +placement-swiss`,
    );
  }
  if (parts.includes('placements') && !parts.includes('knockout')) {
    throw new RangeError(`"${text}" has placements without a knockout`);
  }
  return {
    grouped: base === 'groups',
    knockout: parts.includes('knockout'),
    placements: parts.includes('placements'),
    placementSwiss: parts.includes('placement-swiss'),
  };
}

/** How many players enter the knockout. */
export function cutOf(size: number): number {
  if (size >= 100) return 16;
  if (size >= 40) return 8;
  return size >= 14 ? 4 : 2;
}

export function bracketRounds(entrants: number): number {
  let rounds = 0;
  while (2 ** rounds < entrants) rounds++;
  return rounds;
}

/** Rounds after the Swiss. All stages run side by side. */
export function laterRounds(format: Format, cut: number): number {
  const bracket = format.knockout ? bracketRounds(cut) : 0;
  return format.placementSwiss ? Math.max(bracket, 2) : bracket;
}

/** An upper bound for the number of battles of such an event. */
export function battlesAtMost(size: number, rounds: number, format: Format, cut: number): number {
  const bracket = format.knockout ? cut * (format.placements ? bracketRounds(cut) : 1) : 0;
  const outside = format.knockout ? size - cut : size;
  const placementSwiss = format.placementSwiss ? laterRounds(format, cut) * Math.floor((outside + 1) / 2) : 0;
  return rounds * Math.floor(size / 2) + bracket + placementSwiss;
}
