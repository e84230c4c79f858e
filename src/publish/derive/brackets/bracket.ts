import type { BracketMatch } from '../../../contract/standings.ts';
import type { MatchFacts, Person, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { shownName } from '../fragments/people.ts';
import { titlesOf } from './round-title.ts';

/** Returns the matches of a bracket, first round first. */
export function bracketMatches(
  { matches, battles }: TournamentOutline,
  stage: StageFacts,
  people: ReadonlyMap<string, Person>,
): BracketMatch[] {
  const own = matchesOf({ matches, battles }, stage);
  const titleOf = titlesOf(stage, own);
  return own.map((match) => bracketMatch(match, titleOf(match).name, people));
}

/** Returns the matches in the order of the bracket, each with its battle if the two agree. */
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

/**
 * Leaves out the battle if its players differ from those of the match, because a correction may have changed
 * only one of the two.
 */
function agreeing(match: MatchFacts, sides: ReadonlyMap<string, (string | null)[]>): MatchFacts {
  const played = sides.get(match.battle ?? '')?.toSorted();
  return String(played) === String(match.players.toSorted()) ? match : { ...match, battle: null };
}

/**
 * Returns true if both players or the winner are known. A bracket is drawn up long before its players are
 * known.
 */
export const isKnown = ({ players, winner }: MatchFacts): boolean => players.length === 2 || winner !== null;

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
