// Decides which players go to which events. First each player gets a number of events: 65 % get one, and the
// others follow a Zipf tail (two is more common than three, and so on, up to 100). Then each player gets that
// many different events, starting with those who play most, because they are the hardest to seat. So the
// share is exact in a community or world of any size.
import { at, type Random } from '../chance/random.ts';

const once = 0.65;
const maxEver = 100;

export interface Attendance {
  readonly players: number;
  /** The indexes of the players of each event. */
  readonly seats: number[][];
}

/** Distributes players. `places` contains the number of registered players of each event. */
export function attend(random: Random, sizes: readonly number[]): Attendance {
  const open = random.shuffle(sizes.flatMap((count, event) => Array.from({ length: count }, () => event)));
  const seats: number[][] = sizes.map(() => []);
  let players = 0;
  for (const count of attendances(random, open.length, Math.floor(sizes.length / 2))) {
    if (open.length === 0) break;
    for (const event of takeDifferent(open, count)) at(seats, event).push(players);
    players++;
  }
  // Some players did not get enough different events. The seats that are left go to players who come only
  // once.
  for (const event of open.splice(0)) at(seats, event).push(players++);
  return { players, seats };
}

/** Returns how many events each player attends, in descending order. The sum is exactly `total`. */
function attendances(random: Random, total: number, most: number): number[] {
  const limit = Math.min(maxEver, most);
  const tail = Array.from({ length: Math.max(0, limit - 1) }, (_, i) => 1 / ((i + 2) * (i + 2)));
  const counts: number[] = [];
  for (let left = total; left > 0; left -= counts.at(-1) ?? left) {
    counts.push(Math.min(left, tail.length === 0 || random.chance(once) ? 1 : random.weighted(tail) + 2));
  }
  return counts.toSorted((a, b) => b - a);
}

/**
 * Takes seats at `count` different events from the end of the shuffled list, or fewer if there are no more.
 */
function takeDifferent(open: number[], count: number): Set<number> {
  const taken = new Set<number>();
  for (let i = open.length - 1; i >= 0 && taken.size < count; i--) {
    const event = at(open, i);
    if (taken.has(event)) continue;
    taken.add(event);
    open[i] = at(open, open.length - 1);
    open.pop();
  }
  return taken;
}
