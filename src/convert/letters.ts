// Reads results that are single letters, such as W, D and L. A letter has several meanings: D is a draw in
// English and a defeat in French, and S is a win in German and a defeat in Italian. So we read letters only
// if they fit exactly one language, because a guess would publish the wrong winner.
import type { Language } from '../text/languages.ts';
import { headerNames, languagesOf } from './headers.ts';

/** The result as seen by the player to whom it belongs. */
export type OwnResult = 'win' | 'draw' | 'loss';

type Lettering = Record<OwnResult, string> & { language: Language };

/**
 * The sets of letters. Within a set, a letter has one meaning. Some languages have two sets, which contradict
 * each other.
 */
export const letterings: Lettering[] = [
  { language: 'en', win: 'W', draw: 'DT', loss: 'L' },
  { language: 'de', win: 'S', draw: 'UR', loss: 'N' },
  { language: 'de', win: 'G', draw: 'UR', loss: 'V' },
  { language: 'fr', win: 'VG', draw: 'N', loss: 'DP' },
  { language: 'es', win: 'VG', draw: 'E', loss: 'DP' },
  { language: 'it', win: 'V', draw: 'P', loss: 'S' },
  { language: 'it', win: 'V', draw: 'N', loss: 'P' },
  { language: 'pl', win: 'WZ', draw: 'R', loss: 'P' },
];

/**
 * Returns the meaning of each upper-case letter. Empty if the letters and the headers above them do not fit
 * exactly one language.
 */
export function meaningsOf(letters: Set<string>, columns: Set<string>): ReadonlyMap<string, OwnResult> {
  const named = [...columns].map(languagesOf);
  const fitting = letterings.filter(
    (lettering) =>
      named.every((languages) => languages.has(lettering.language)) &&
      [...letters].every((letter) => meaningOf(lettering, letter) !== undefined),
  );
  const meanings = new Map<string, OwnResult>();
  if (new Set(fitting.map(({ language }) => language)).size !== 1) return meanings;
  for (const letter of letters) {
    const [meaning, another] = new Set(fitting.map((lettering) => meaningOf(lettering, letter)));
    if (meaning === undefined || another !== undefined) return new Map();
    meanings.set(letter, meaning);
  }
  return meanings;
}

/**
 * Finds the letters that do not fit the others: those that are missing in the only set of their language that
 * has at least two of the letters. `wanted` is that set, with the letters that the sheet uses where it has
 * them.
 */
export function misfitsIn(
  letters: Set<string>,
  columns: Set<string>,
): { misfits: Set<string>; wanted: string } | undefined {
  const named = [...columns].map(languagesOf);
  const [best, next] = letterings
    .filter(({ language }) => named.every((languages) => languages.has(language)))
    .map((lettering) => ({
      lettering,
      fitting: new Set([...letters].filter((letter) => meaningOf(lettering, letter) !== undefined)),
    }))
    .toSorted((a, b) => b.fitting.size - a.fitting.size);
  if (best === undefined || best.fitting.size < 2 || best.fitting.size === next?.fitting.size)
    return undefined;
  const { lettering, fitting } = best;
  const [win, draw, loss] = [lettering.win, lettering.draw, lettering.loss].map(
    (each) => [...fitting].find((letter) => each.includes(letter)) ?? each[0],
  );
  return {
    misfits: letters.difference(fitting),
    wanted: `${win}, ${draw} or ${loss}, like the other results`,
  };
}

const meaningOf = (lettering: Lettering, letter: string): OwnResult | undefined =>
  (['win', 'draw', 'loss'] as const).find((result) => lettering[result].includes(letter));

const resultNames = headerNames.games.find(({ column }) => column === 'result')?.names ?? [];

/** The suggestion in messages about results whose letters cannot be read. */
export const lettersWanted = `win, draw or loss, or letters that can mean only one thing under their header: ${resultNames
  .map(({ language, names }) => {
    const own = letterings.filter((lettering) => lettering.language === language);
    const sets = own.map(({ win, draw, loss }) => `${win[0]}, ${draw[0]}, ${loss[0]}`);
    return `${sets.join(' or ')} under ${names[0]}`;
  })
  .join('; ')}`;
