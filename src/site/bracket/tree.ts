import type { BracketMatch } from '../../contract/standings.ts';
import type { Play as PublishedPlay } from '../../publish/derive/now/play-shape.ts';
import { type MatchOfRound, matchesOfRounds } from '../../read/matches-now.ts';
import type { Guests } from '../parts/guests.ts';

/** Empty for standings of an older version. */
export type Play = Partial<PublishedPlay>;

/** A match with its place in the bracket. */
export interface PlacedMatch extends MatchOfRound {
  /** The keys of its guests. */
  guests: Guests['matches'][number];
  seeds: (number | null)[];
  /** The matches whose winners play in it, the upper one first. */
  feeders: PlacedMatch[];
  /** The matches whose losers play in it. */
  losersOf: PlacedMatch[];
  /** It has a winner and no battle. Only where other matches have battles, the lack of one tells something. */
  isWalkover: boolean;
  /** Counts through all rounds, as the page shows them. */
  number: number;
}

export interface BracketRound {
  /** Undefined: its matches have several names. */
  name: string | undefined;
  /** In a tree, undefined keeps the place of a match that does not exist. */
  matches: (PlacedMatch | undefined)[];
}

export interface Bracket {
  /** In a tree, each round has twice as many places as the next one, so that lines can connect them. */
  trees: BracketRound[][];
  /** Without lines: the match for third place, and matches whose connections are not known. */
  apart: BracketRound[];
}

/** `rounds`: how many the stage has. */
export function bracketOf(
  matches: readonly BracketMatch[],
  play: Play,
  rounds: number,
  guests?: Guests,
): Bracket {
  const placed = placedMatches(matches, play, guests);
  const bracket = treesOf(placed, rounds) ?? { trees: [], apart: byName(placed) };
  let last = 0;
  for (const match of matchesOf(bracket)) match.number = last += 1;
  return bracket;
}

/** In the order of the page. */
export function matchesOf({ trees, apart }: Bracket): PlacedMatch[] {
  return [...trees.flat(), ...apart].flatMap(({ matches }) => matches.filter((match) => match !== undefined));
}

function placedMatches(matches: readonly BracketMatch[], play: Play, guests?: Guests): PlacedMatch[] {
  const areBattlesKnown = matches.some(({ battle }) => battle !== null);
  const placed = matchesOfRounds(matches, play).map((match, index): PlacedMatch => ({
    ...match,
    guests: guests?.matches[index] ?? { players: [], winner: undefined },
    seeds: play.matches?.[index]?.seeds ?? [],
    feeders: [],
    losersOf: [],
    isWalkover:
      areBattlesKnown && match.winner !== null && match.battle === null && match.players.length === 2,
    number: 0,
  }));
  const ofPlace = new Map(placed.map((match, index) => [placeOf(play.matches?.[index]), match]));
  for (const [index, match] of placed.entries()) {
    const next = play.matches?.[index]?.next;
    if (next) ofPlace.get(next.join())?.feeders.push(match);
  }
  return placed;
}

const placeOf = (match: { round: number; position: number } | undefined) =>
  match === undefined ? '' : `${match.round},${match.position}`;

/** Undefined when the matches are not connected as trees: then lines would be wrong. */
function treesOf(placed: PlacedMatch[], rounds: number): Bracket | undefined {
  const last = placed.reduce((most, { inRound }) => Math.max(most, inRound), 0);
  const roots = placed.filter(({ inRound }) => inRound === last);
  const isSingle = placed.length === 1;
  // Of a bracket that is drawn up to a part of its rounds, all belongs together. In the last round, each match is for
  // places of its own: the final, and in a placement bracket one for each pair of places.
  const together =
    last < rounds
      ? [roots]
      : roots.filter((root) => isSingle || root.feeders.length > 0).map((root) => [root]);
  const apart = together.length === 0 ? [] : roots.filter((root) => !together.flat().includes(root));
  const trees = together.map((own) => columnsTo(own, last));
  const inTrees = trees.flat().flatMap((column) => column.filter((match) => match !== undefined));
  // Every match has one place, in the column of its round.
  const isWhole = inTrees.length === placed.length - apart.length && new Set(inTrees).size === inTrees.length;
  const fits = ({ inRound, feeders }: PlacedMatch) =>
    feeders.length <= 2 && feeders.every((feeder) => feeder.inRound === inRound - 1);
  if (trees.length === 0 || !isWhole || !placed.every(fits)) return undefined;
  const before = placed.filter(({ inRound }) => inRound === last - 1);
  if (before.length === 2) for (const match of apart) match.losersOf = before;
  return { trees: trees.map(namedRounds), apart: byName(apart) };
}

type Column = (PlacedMatch | undefined)[];

/** From the first round that has a match to the last. */
function columnsTo(roots: readonly PlacedMatch[], last: number): Column[] {
  const columns: Column[] = [[...roots]];
  for (let round = last - 1; round >= 1; round -= 1) {
    const column = (columns[0] ?? []).flatMap((match) => pairOf(match?.feeders ?? []));
    if (column.every((match) => match === undefined)) break;
    if (column.length > maxPlaces) return [];
    columns.unshift(column);
  }
  return columns;
}

function namedRounds(columns: readonly Column[]): BracketRound[] {
  return columns.map((matches) => {
    const own = matches.filter((match) => match !== undefined);
    const names = new Set(own.map(({ round }) => round));
    const [name] = names;
    return { name: names.size === 1 ? name : undefined, matches };
  });
}

/** Each round doubles the places, so a long chain of single matches would need a page without end. */
const maxPlaces = 1_024;

/** Who had a bye stands above the one who had to win. */
function pairOf(feeders: readonly PlacedMatch[]): (PlacedMatch | undefined)[] {
  return feeders.length === 2 ? [...feeders] : [undefined, feeders[0]];
}

/** One after the other: matches of one round with the same name. */
function byName(matches: readonly PlacedMatch[]): BracketRound[] {
  const groups = Map.groupBy(matches, ({ inRound, round }) => `${inRound} ${round}`);
  return [...groups.values()].map((own) => ({ name: own[0]?.round ?? '', matches: own }));
}
