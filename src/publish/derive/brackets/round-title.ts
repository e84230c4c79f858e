// Gives titles to the matches of a round. Documents have the name, and pages state the kind in their own
// language.
import type { MatchFacts, StageFacts } from '../../../record/facts/facts.ts';
import type { RoundKind, RoundTitle } from '../../../published/views.ts';

/**
 * Returns a function that gives a match its title. `matches` are all matches of the stage. A feed may name a
 * match itself.
 */
export function titlesOf(
  stage: StageFacts,
  matches: readonly MatchFacts[],
): (match: MatchFacts) => RoundTitle {
  const rounds = matches.reduce((last, { round }) => Math.max(last, round), stage.rounds);
  return (match) => {
    const kind = match.name === null ? kindOf(match, rounds) : kindNamed.get(match.name.toLowerCase());
    return { name: match.name ?? nameOf(kindOf(match, rounds)), ...(kind && { kind }) };
  };
}

/**
 * Returns the placements that a placement bracket decides. If its id does not name the last one, the number
 * of rounds gives the size.
 */
export function bandOf(stage: string, rounds: number): { first: number; size: number } | null {
  const [, first, last] = /^placement-(\d+)(?:-(\d+))?$/.exec(stage) ?? [];
  if (first === undefined) return null;
  const size = last === undefined ? 2 ** Math.max(rounds, 1) : Number(last) - Number(first) + 1;
  return { first: Number(first), size };
}

function kindOf({ stage, round, position }: MatchFacts, rounds: number): RoundKind {
  const band = bandOf(stage, rounds);
  // Count the rounds still to come rather than the matches, because byes make a first round smaller than its
  // field.
  if (!band) return { field: 2 ** Math.max(rounds - round + 1, 1) };
  // In a placement bracket, winners go on to play for the upper half of the placements and losers for the
  // lower half.
  const bracketSize = 2 ** Math.ceil(Math.log2(Math.max(band.size, 2)));
  const field = Math.max(bracketSize / 2 ** (round - 1), 2);
  const first = band.first + Math.floor((position - 1) / (field / 2)) * field;
  if (field === 2) return { place: first };
  return { field, first, last: Math.min(first + field, band.first + band.size) - 1 };
}

function nameOf(kind: RoundKind): string {
  if ('place' in kind) return kind.place === 3 ? 'Third-place match' : `${ordinal(kind.place)}-place match`;
  const { field, first, last } = kind;
  if (first === undefined || last === undefined) return knockoutRound(field);
  return `${ordinal(first)}–${ordinal(last)} ${knockoutRound(field).toLowerCase()}`;
}

function knockoutRound(field: number): string {
  if (field === 2) return 'Final';
  if (field === 4) return 'Semi-final';
  return field === 8 ? 'Quarter-final' : `Round of ${field}`;
}

function ordinal(place: number): string {
  const teen = place % 100 >= 11 && place % 100 <= 13;
  const ending = teen ? undefined : ['th', 'st', 'nd', 'rd'][place % 10];
  return `${place}${ending ?? 'th'}`;
}

/**
 * The kinds by name, in lower case. An organiser often uses our own names, and may name a match after its
 * whole round, as in `Quarter-finals`.
 */
const kindNamed: ReadonlyMap<string, RoundKind> = new Map(
  [
    ...Array.from({ length: 10 }, (_, power): RoundKind => ({ field: 2 ** (power + 1) })),
    ...Array.from({ length: 64 }, (_, index): RoundKind => ({ place: index + 1 })),
  ].flatMap((kind) => {
    const name = nameOf(kind).toLowerCase();
    return [name, `${name}${'place' in kind ? 'es' : 's'}`].map((each): [string, RoundKind] => [each, kind]);
  }),
);
