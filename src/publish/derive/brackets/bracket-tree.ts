// Arranges a bracket for a page: trees, whose lines connect the matches, and matches that stand apart from
// them.
import type { RoundTitle } from '../../../published/views.ts';

/** A match with its position in the bracket. */
export interface PlacedMatch {
  /** The number of its round, counted from 1. */
  round: number;
  /** The title of the matches of its round. */
  title: RoundTitle;
  /** The matches whose winners play in it, the upper one first. */
  feeders: this[];
  /** The matches whose losers play in it. */
  losersOf: this[];
  /** The number in the order of the page, counted through all rounds. */
  number: number;
}

interface Column<Match> {
  /** Undefined if its matches have several titles. */
  title: RoundTitle | undefined;
  /** In a tree, undefined stands for a position without a match. */
  matches: (Match | undefined)[];
}

export interface Tree<Match> {
  trees: Column<Match>[][];
  apart: Column<Match>[];
}

/** Arranges the matches of a stage that has this many rounds, and numbers them. */
export function treeOf<Match extends PlacedMatch>(placed: readonly Match[], rounds: number): Tree<Match> {
  const tree = treesOf(placed, rounds) ?? { trees: [], apart: byName(placed) };
  let last = 0;
  for (const match of matchesIn(tree)) match.number = last += 1;
  return tree;
}

/** Returns the matches in the order of the page. */
export function matchesIn<Match>({ trees, apart }: Tree<Match>): Match[] {
  return [...trees.flat(), ...apart].flatMap(({ matches }) => matches.filter((match) => match !== undefined));
}

/** Returns undefined if the matches do not form trees, because the lines would then be wrong. */
function treesOf<Match extends PlacedMatch>(
  placed: readonly Match[],
  rounds: number,
): Tree<Match> | undefined {
  const last = placed.reduce((most, { round }) => Math.max(most, round), 0);
  const roots = placed.filter(({ round }) => round === last);
  const isSingle = placed.length === 1;
  // While a bracket is known only up to one of its earlier rounds, all matches belong together. In the last
  // round, each match decides placements of its own: in a placement bracket there is one match for each pair
  // of placements, otherwise there is the final.
  const together =
    last < rounds
      ? [roots]
      : roots.filter((root) => isSingle || root.feeders.length > 0).map((root) => [root]);
  const apart = together.length === 0 ? [] : roots.filter((root) => !together.flat().includes(root));
  const trees = together.map((own) => columnsTo(own, last));
  const inTrees = trees.flat().flatMap((column) => column.filter((match) => match !== undefined));
  // Every match must have exactly one position, in the column of its round.
  const isWhole = inTrees.length === placed.length - apart.length && new Set(inTrees).size === inTrees.length;
  const fits = ({ round, feeders }: Match) =>
    feeders.length <= 2 && feeders.every((feeder) => feeder.round === round - 1);
  if (trees.length === 0 || !isWhole || !placed.every(fits)) return undefined;
  const before = placed.filter(({ round }) => round === last - 1);
  if (before.length === 2) for (const match of apart) match.losersOf = before;
  return { trees: trees.map(named), apart: byName(apart) };
}

type Slots<Match> = (Match | undefined)[];

/** Returns the columns from the first round that has a match to the last. */
function columnsTo<Match extends PlacedMatch>(roots: readonly Match[], last: number): Slots<Match>[] {
  const columns: Slots<Match>[] = [[...roots]];
  for (let round = last - 1; round >= 1; round -= 1) {
    const column = (columns[0] ?? []).flatMap((match) => pairOf<Match>(match?.feeders ?? []));
    if (column.every((match) => match === undefined)) break;
    if (column.length > maxSlots) return [];
    columns.unshift(column);
  }
  return columns;
}

function named<Match extends PlacedMatch>(columns: readonly Slots<Match>[]): Column<Match>[] {
  return columns.map((matches) => {
    const titles = matches.flatMap((match) => (match === undefined ? [] : [match.title]));
    const [title] = titles;
    return { title: titles.every(({ name }) => name === title?.name) ? title : undefined, matches };
  });
}

/** Each earlier round doubles the positions, so a long chain of single matches would need an endless page. */
const maxSlots = 1_024;

/** Returns two positions. A participant who had a bye stands above the one who had to win first. */
function pairOf<Match>(feeders: readonly Match[]): Slots<Match> {
  return feeders.length === 2 ? [...feeders] : [undefined, feeders[0]];
}

/** Makes a column for the matches of one round that have the same title. */
function byName<Match extends PlacedMatch>(matches: readonly Match[]): Column<Match>[] {
  const groups = Map.groupBy(matches, ({ round, title }) => `${round} ${title.name}`);
  return [...groups.values()].map((own) => ({ title: own[0]?.title, matches: own }));
}
