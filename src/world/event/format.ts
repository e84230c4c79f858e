// The stages of an event: `swiss` or `groups`, then others, for example
// `swiss+knockout+placements+placement-swiss`.
export interface Format {
  readonly grouped: boolean;
  readonly knockout: boolean;
  /** Small brackets for the placements below the final. */
  readonly placements: boolean;
  /** A second board for all players outside the knockout, or for all players if there is no knockout. */
  readonly placementSwiss: boolean;
}

/** Parses a format. Throws a RangeError that describes the mistake. */
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

/** Returns how many players enter the knockout. */
export function cutOf(size: number): number {
  if (size >= 100) return 16;
  if (size >= 40) return 8;
  return size >= 14 ? 4 : 2;
}

export function bracketRounds(participants: number): number {
  let rounds = 0;
  while (2 ** rounds < participants) rounds++;
  return rounds;
}

/** Returns the number of rounds after the Swiss rounds. All stages run side by side. */
export function laterRounds(format: Format, cut: number): number {
  const bracket = format.knockout ? bracketRounds(cut) : 0;
  return format.placementSwiss ? Math.max(bracket, 2) : bracket;
}

/** Returns an upper bound for the number of battles in such an event. */
export function battlesAtMost(size: number, rounds: number, format: Format, cut: number): number {
  const bracket = format.knockout ? cut * (format.placements ? bracketRounds(cut) : 1) : 0;
  const outside = format.knockout ? size - cut : size;
  const placementSwiss = format.placementSwiss ? laterRounds(format, cut) * Math.floor((outside + 1) / 2) : 0;
  return rounds * Math.floor(size / 2) + bracket + placementSwiss;
}
