// Swiss pairing: players with the same score meet, no two meet twice, and no player has two byes.
//
// Score groups are paired from the top, as many players as possible without a rematch. Players who are left float down
// into the next group. Players who are left at the end are paired by changing other pairs along an alternating path.
// Both are the same step, `match`: one search for an augmenting path (Edmonds' blossom algorithm, unweighted). The
// repair starts at the bottom, so that the leaders' pairs change last. A free neighbour is nearly always the next in
// line, so 1,000 players cost about a millisecond a round. A weighted matching of the same field takes six seconds.
// The search is exact: a rematch happens only if no pairing of the field avoids it.

export interface Pairing {
  /** By index into the field, best table first. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly bye: number | undefined;
}

/**
 * `scores`: best first. The caller decides the order within a score.
 * `met(a, b)`: whether these two have already played. `hadBye(a)`: whether this player already had a bye.
 */
export function pair(
  scores: readonly number[],
  met: (a: number, b: number) => boolean,
  hadBye: (a: number) => boolean,
): Pairing {
  const people = scores.length;
  // A bye is a pairing with an empty chair. The chair is last, and has "met" every player who already had a bye.
  const chair = people % 2 === 1 ? people : -1;
  const size = chair === -1 ? people : people + 1;
  const sitsOutTwice = (a: number, b: number) => (a === chair && hadBye(b)) || (b === chair && hadBye(a));
  const allowed = (a: number, b: number) => (a === chair || b === chair ? !sitsOutTwice(a, b) : !met(a, b));
  const mates = new Int32Array(size).fill(-1);
  const starts = scores.flatMap((score, i) => (score === scores[i - 1] ? [] : [i]));
  let floating: number[] = [];
  for (const [group, start] of starts.entries()) {
    floating = match([...floating, ...range(start, starts[group + 1] ?? size)], mates, allowed);
  }
  // From the bottom up, so that the leaders' pairs change only if nothing below them can help.
  for (const start of starts.toReversed()) {
    if (floating.length > 0) floating = match(withMates(start, mates), mates, allowed);
  }
  if (floating.length > 0) floating = match(range(0, size), mates, (a, b) => !sitsOutTwice(a, b));
  if (floating.length > 0) match(range(0, size), mates, () => true);
  return read(mates, chair);
}

/** All from this index down, their partners above it, and all free players above it: no path leads out of this set. */
function withMates(start: number, mates: Int32Array): number[] {
  const above = range(0, start).filter((player) => mates[player] === -1 || (mates[player] ?? -1) >= start);
  return [...above, ...range(start, mates.length)];
}

function read(mates: Int32Array, chair: number): Pairing {
  const pairs: (readonly [number, number])[] = [];
  let bye: number | undefined;
  for (const [a, b] of mates.entries()) {
    if (b === chair && chair !== -1) bye = a;
    else if (a < b) pairs.push([a, b]);
  }
  return { pairs, bye };
}

/** Pairs as many of the pool as possible, the first before the last. Returns the others, in order. */
function match(
  pool: readonly number[],
  mates: Int32Array,
  allowed: (a: number, b: number) => boolean,
): number[] {
  const left: number[] = [];
  for (const [place, player] of pool.entries()) {
    if (mates[player] !== -1) continue;
    const partner = pool.find((other, at) => at > place && mates[other] === -1 && allowed(player, other));
    if (partner === undefined) {
      if (!augment(player, pool, mates, allowed)) left.push(player);
    } else {
      mates[player] = partner;
      mates[partner] = player;
    }
  }
  return left.filter((player) => mates[player] === -1);
}

/** Finds an alternating path from `root` to a free player and flips it. Returns false when there is none. */
function augment(
  root: number,
  pool: readonly number[],
  mates: Int32Array,
  allowed: (a: number, b: number) => boolean,
): boolean {
  const parent = new Int32Array(mates.length).fill(-1);
  const base = Int32Array.from({ length: mates.length }, (_, i) => i);
  const outer = new Uint8Array(mates.length);
  outer[root] = 1;
  const queue = [root];
  const upwards = pool.toReversed();
  for (const from of queue) {
    for (const to of upwards) {
      if (from === to || base[from] === base[to] || mates[from] === to || !allowed(from, to)) continue;
      const mate = mates[to] ?? -1;
      if (to === root || (mate !== -1 && parent[mate] !== -1)) {
        contract(from, to, pool, { mates, parent, base, outer, queue });
      } else if (parent[to] === -1) {
        parent[to] = from;
        if (mate === -1) {
          flip(to, parent, mates);
          return true;
        }
        outer[mate] = 1;
        queue.push(mate);
      }
    }
  }
  return false;
}

interface Search {
  readonly mates: Int32Array;
  readonly parent: Int32Array;
  readonly base: Int32Array;
  readonly outer: Uint8Array;
  readonly queue: number[];
}

// Two outer vertices of one tree meet: the odd cycle (blossom) becomes one vertex, and all its vertices become outer.
function contract(a: number, b: number, pool: readonly number[], search: Search): void {
  const { base, outer, queue } = search;
  const top = commonBase(a, b, search);
  const inBlossom = new Set<number>();
  markPath(a, top, b, inBlossom, search);
  markPath(b, top, a, inBlossom, search);
  for (const vertex of pool) {
    if (!inBlossom.has(base[vertex] ?? -1)) continue;
    base[vertex] = top;
    if (outer[vertex] === 1) continue;
    outer[vertex] = 1;
    queue.push(vertex);
  }
}

function commonBase(a: number, b: number, { mates, parent, base }: Search): number {
  const seen = new Set<number>();
  for (let vertex = base[a] ?? -1; ;) {
    seen.add(vertex);
    const mate = mates[vertex] ?? -1;
    if (mate === -1) break;
    vertex = base[parent[mate] ?? -1] ?? -1;
  }
  let vertex = base[b] ?? -1;
  while (!seen.has(vertex)) vertex = base[parent[mates[vertex] ?? -1] ?? -1] ?? -1;
  return vertex;
}

function markPath(start: number, top: number, child: number, inBlossom: Set<number>, search: Search): void {
  const { mates, parent, base } = search;
  for (let vertex = start, below = child; base[vertex] !== top;) {
    const mate = mates[vertex] ?? -1;
    inBlossom.add(base[vertex] ?? -1).add(base[mate] ?? -1);
    parent[vertex] = below;
    below = mate;
    vertex = parent[mate] ?? -1;
  }
}

function flip(end: number, parent: Int32Array, mates: Int32Array): void {
  for (let vertex = end; vertex !== -1;) {
    const before = parent[vertex] ?? -1;
    const next = mates[before] ?? -1;
    mates[vertex] = before;
    mates[before] = vertex;
    vertex = next;
  }
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}
