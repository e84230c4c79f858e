import type { RoundKind, RoundTitle, StageKind } from '../../published/views.ts';
import type { Words } from './en.ts';

// Translates names that our own code gives. What an organiser has written stays as it is.

/**
 * Returns the name of a stage in the language of the page. `stages` comes from the view of the tournament.
 */
export function stageName(
  { stored }: Words,
  { id, name }: { id: string; name: string },
  stages: readonly { id: string; kind?: StageKind }[],
): string {
  const kind = stages.find((each) => each.id === id)?.kind;
  if (kind === undefined) return name;
  if ('named' in kind) return stored.stages[kind.named];
  return 'top' in kind ? stored.top(kind.top) : stored.ranks(kind.first, kind.last);
}

/** Returns the name of a match, or of several matches if `areMany` is true: `Quarter-finals`. */
export function matchName(words: Words, { name, kind }: RoundTitle, areMany = false): string {
  if (kind === undefined) return areMany ? words.stored.several(name) : name;
  const { stored } = words;
  if ('field' in kind) {
    const round = knockoutName(words, kind, areMany);
    const { first, last } = kind;
    return first === undefined || last === undefined ? round : stored.forPlacements(first, last, round);
  }
  return kind.place === 3
    ? stored.matches['Third-place match'][areMany ? 1 : 0]
    : stored.placementMatch(kind.place, areMany);
}

function knockoutName({ stored }: Words, { field }: RoundKind & { field: number }, areMany: boolean): string {
  const single =
    field === 2 ? 'Final' : field === 4 ? 'Semi-final' : field === 8 ? 'Quarter-final' : undefined;
  return single === undefined ? stored.roundOf(field) : stored.matches[single][areMany ? 1 : 0];
}
