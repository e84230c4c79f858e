// Finds out which match the winner of each match goes on to. The feed does not say so, but known players do,
// and otherwise the positions.
import type { MatchFacts, StageFacts } from '../../../record/facts/facts.ts';
import { bandOf } from './round-title.ts';

/** Maps each match to the next one. A match without a next one is the last, or the facts do not decide it. */
export function nextMatches(stage: StageFacts, matches: MatchFacts[]): Map<MatchFacts, MatchFacts> {
  const rounds = Map.groupBy(
    matches.toSorted((a, b) => a.position - b.position),
    ({ round }) => round,
  );
  const last = Math.max(stage.rounds, ...rounds.keys());
  const links = new Map<MatchFacts, MatchFacts>();
  for (const [round, from] of rounds) {
    const to = rounds.get(round + 1) ?? [];
    for (const section of sectionsOf(stage, from, to, last)) linkSection(section, to, links);
  }
  return links;
}

/** Matches of one round, and the matches of the next round that their winners go on to. */
interface Section {
  from: MatchFacts[];
  targets: MatchFacts[];
  /**
   * True if neighbours meet: the winners of 1 and 2, of 3 and 4. A placement bracket may pair its winners in
   * another way.
   */
  neighboursMeet: boolean;
}

function sectionsOf(stage: StageFacts, from: MatchFacts[], to: MatchFacts[], last: number): Section[] {
  const band = bandOf(stage.id, last);
  if (!band) {
    // The last round has one final. A second match in it is for third place.
    const targets = to[0]?.round === last ? to.slice(0, 1) : to;
    return [{ from, targets, neighboursMeet: true }];
  }
  // Everybody plays on in a placement bracket: the winners of a part fill the upper half of its positions.
  const field = 2 ** Math.ceil(Math.log2(Math.max(band.size, 2)));
  const part = field / 2 ** (from[0]?.round ?? 1);
  const parts = Map.groupBy(from, ({ position }) => Math.floor((position - 1) / part));
  return [...parts].map(([index, matches]) => {
    const isTarget = ({ position }: MatchFacts): boolean =>
      position > index * part && position <= index * part + part / 2;
    return { from: matches, targets: to.filter(isTarget), neighboursMeet: false };
  });
}

function linkSection(
  { from, targets, neighboursMeet }: Section,
  to: MatchFacts[],
  links: Map<MatchFacts, MatchFacts>,
): void {
  for (const match of from) {
    const [target, another] = match.winner
      ? to.filter(({ players }) => players.includes(match.winner ?? ''))
      : targets.filter(({ players }) => players.some((player) => match.players.includes(player)));
    if (target && !another) links.set(match, target);
  }
  const rest = from.filter((match) => !links.has(match));
  const free = targets.map((target) => ({ target, seats: Math.max(0, 2 - target.players.length) }));
  const seats = free.flatMap((each) => Array.from({ length: each.seats }, () => each.target));
  const found =
    onlyTarget(rest, seats) ??
    (neighboursMeet ? (inOrder(from, rest, seats, links) ?? byPosition(from, rest, free, links)) : undefined);
  for (const [index, match] of rest.entries()) {
    const target = found?.[index];
    if (target) links.set(match, target);
  }
}

type Targets = MatchFacts[] | undefined;

/**
 * Returns a seat for each match, if only one match of the next round has free seats and has enough of them.
 */
function onlyTarget(rest: MatchFacts[], seats: MatchFacts[]): Targets {
  if (rest.length > seats.length || new Set(seats).size !== 1) return undefined;
  return seats.slice(0, rest.length);
}

/**
 * Returns the free seats if there are as many as winners to come. The winners take them in order, unless
 * known winners went another way.
 */
function inOrder(
  from: MatchFacts[],
  rest: MatchFacts[],
  seats: MatchFacts[],
  links: ReadonlyMap<MatchFacts, MatchFacts>,
): Targets {
  if (rest.length !== seats.length) return undefined;
  const all = from.map((match) => (links.get(match) ?? seats[rest.indexOf(match)])?.position ?? 0);
  return all.every((position, index) => position >= (all[index - 1] ?? 0)) ? seats : undefined;
}

/**
 * Returns a seat for each match by its position. Byes leave gaps in the positions, which shows that the
 * positions are those in the whole bracket. Without a gap, we cannot know whether the feed leaves byes out of
 * the numbering.
 */
function byPosition(
  from: MatchFacts[],
  rest: MatchFacts[],
  free: { target: MatchFacts; seats: number }[],
  links: ReadonlyMap<MatchFacts, MatchFacts>,
): Targets {
  const hasGaps = from.some(({ position }) => position > from.length);
  const follows = (match: MatchFacts, target: MatchFacts | undefined): boolean =>
    target === undefined || target.position === Math.ceil(match.position / 2);
  if (!hasGaps || !from.every((match) => follows(match, links.get(match)))) return undefined;
  const left = new Map(free.map(({ target, seats }) => [target.position, { target, seats }]));
  const found = rest.map((match) => left.get(Math.ceil(match.position / 2)));
  for (const each of found) if (!each || --each.seats < 0) return undefined;
  return found.flatMap((each) => each?.target ?? []);
}
