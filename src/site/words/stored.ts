import { en, type Words } from './en.ts';

// Names that our own code stores in documents. What an organiser has written stays as it is.

export function stageName({ stored }: Words, name: string): string {
  const [, top] = /^Top (\d+)$/.exec(name) ?? [];
  if (top !== undefined) return stored.top(Number(top));
  const [, first, last] = /^Places? (\d+)(?:–(\d+))?$/.exec(name) ?? [];
  if (first !== undefined) return stored.places(Number(first), last === undefined ? undefined : Number(last));
  return Object.hasOwn(stored.stages, name) ? stored.stages[name as keyof typeof stored.stages] : name;
}

/** `areMany`: the name of several matches, `Quarter-finals`. */
export function matchName(words: Words, name: string, areMany = false): string {
  const { stored } = words;
  const [, field] = /^round of (\d+)$/i.exec(name) ?? [];
  if (field !== undefined) return stored.roundOf(Number(field));
  const [, place] = /^(\d+)(?:st|nd|rd|th)-place match$/.exec(name) ?? [];
  if (place !== undefined) return stored.placeMatch(Number(place), areMany);
  const [, first, last, rest = ''] =
    /^(\d+)(?:st|nd|rd|th)–(\d+)(?:st|nd|rd|th) ((?:quarter-|semi-)?final|round of \d+)$/.exec(name) ?? [];
  if (first !== undefined) {
    const round = matchName(words, `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`, areMany);
    return stored.forPlaces(Number(first), Number(last), round);
  }
  const single = singles.get(name) ?? name;
  if (!Object.hasOwn(stored.matches, single)) return areMany ? stored.several(name) : name;
  const [one, many] = stored.matches[single as keyof typeof stored.matches];
  return areMany || single !== name ? many : one;
}

/** A feed may name a match after all of its round: `Quarter-finals`. */
const singles = new Map(Object.entries(en.stored.matches).map(([one, [, many]]) => [many, one]));
