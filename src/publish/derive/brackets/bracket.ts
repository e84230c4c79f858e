// The matches of a bracket, and the names of its rounds when the feed gives none.
import type { BracketMatch } from '../../../contract/standings.ts';
import type { MatchFacts, Person, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { shownName } from '../documents/people.ts';

/** First round first. */
export function bracketMatches(
  { matches, battles }: TournamentOutline,
  stage: StageFacts,
  people: ReadonlyMap<string, Person>,
): BracketMatch[] {
  const own = matchesOf({ matches, battles }, stage);
  const nameOf = roundNames(stage, own);
  return own.map((match) => bracketMatch(match, nameOf(match), people));
}

/** In the order of the bracket, each with its battle if the two agree. */
export function matchesOf(
  { matches, battles }: Pick<TournamentOutline, 'matches' | 'battles'>,
  stage: StageFacts,
): MatchFacts[] {
  const sides = new Map(battles.map((battle) => [battle.id, battle.sides.map((side) => side.participant)]));
  return matches
    .filter((match) => match.stage === stage.id)
    .toSorted((a, b) => a.round - b.round || a.position - b.position)
    .map((match) => agreeing(match, sides));
}

/** `matches` are all of the stage. */
export function roundNames(stage: StageFacts, matches: readonly MatchFacts[]): (match: MatchFacts) => string {
  const rounds = matches.reduce((last, { round }) => Math.max(last, round), stage.rounds);
  return (match) => match.name ?? roundName(match, rounds);
}

/** Leaves out the battle when its players differ from the match: a correction may have changed only one of the two. */
function agreeing(match: MatchFacts, sides: ReadonlyMap<string, (string | null)[]>): MatchFacts {
  const played = sides.get(match.battle ?? '')?.toSorted();
  return String(played) === String(match.players.toSorted()) ? match : { ...match, battle: null };
}

/** A bracket is drawn up long before its players are known. */
export const isKnown = ({ players, winner }: MatchFacts): boolean => players.length === 2 || winner !== null;

/** The places that a placement bracket decides. Without a last place, the number of rounds gives the size. */
export function bandOf(stage: string, rounds: number): { first: number; size: number } | null {
  const [, first, last] = /^placement-(\d+)(?:-(\d+))?$/.exec(stage) ?? [];
  if (first === undefined) return null;
  const size = last === undefined ? 2 ** Math.max(rounds, 1) : Number(last) - Number(first) + 1;
  return { first: Number(first), size };
}

/** Lists each field explicitly. */
function bracketMatch(match: MatchFacts, round: string, people: ReadonlyMap<string, Person>): BracketMatch {
  const nameOf = (participant: string): string => {
    const person = people.get(participant);
    if (!person) throw new Error(`a match of ${match.stage} names an unknown participant: ${participant}`);
    return shownName(person);
  };
  return {
    round,
    table: match.table,
    players: match.players.length === 2 ? match.players.map(nameOf) : [],
    winner: match.winner === null ? null : nameOf(match.winner),
    battle: match.battle,
  };
}

function roundName({ stage, round, position }: MatchFacts, rounds: number): string {
  const band = bandOf(stage, rounds);
  // Use the rounds still to come, not the number of matches: byes make a first round smaller than its field.
  if (!band) return knockoutRound(2 ** Math.max(rounds - round + 1, 1));
  // In a placement bracket, winners go on to play for the upper half of the places and losers for the lower half.
  const whole = 2 ** Math.ceil(Math.log2(Math.max(band.size, 2)));
  const size = Math.max(whole / 2 ** (round - 1), 2);
  const first = band.first + Math.floor((position - 1) / (size / 2)) * size;
  if (size === 2) return first === 3 ? 'Third-place match' : `${ordinal(first)}-place match`;
  const last = Math.min(first + size, band.first + band.size) - 1;
  return `${ordinal(first)}–${ordinal(last)} ${knockoutRound(size).toLowerCase()}`;
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
