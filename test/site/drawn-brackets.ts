import type { BracketMatch } from '../../src/contract/standings.ts';

export interface DrawnBracket {
  rounds: number;
  data: BracketMatch[];
  play: BracketPlay;
}

/** The way in which matches are connected, in the order of `data`. */
export interface BracketPlay {
  matches?: {
    round: number;
    position: number;
    next: [number, number] | null;
    playerIds: (string | null)[];
  }[];
}

/**
 * Returns a knockout of that many players, as the publisher writes it. Missing players give byes in the first
 * round. The first `decided` matches have a winner, which is always the first player.
 */
export function drawnKnockout(names: readonly string[], decided = 0): DrawnBracket {
  const rounds = Math.max(1, Math.ceil(Math.log2(names.length)));
  const seats: (string | null)[] = seeded(2 ** rounds).map((seed) => names[seed] ?? null);
  const data: BracketMatch[] = [];
  const matches: NonNullable<BracketPlay['matches']> = [];
  let field: (string | null | undefined)[] = seats;
  for (let round = 1; round <= rounds; round += 1) {
    const next: (string | null | undefined)[] = [];
    for (let position = 1; position <= field.length / 2; position += 1) {
      const [upper, lower] = [field[2 * position - 2], field[2 * position - 1]];
      // A bye, for which there is no match.
      if (upper === null || lower === null) {
        next.push(upper ?? lower);
        continue;
      }
      const isKnown = upper !== undefined && lower !== undefined;
      const winner = isKnown && data.length < decided ? upper : null;
      data.push({
        round: round === rounds ? 'Final' : `Round of ${field.length}`,
        table: position,
        players: isKnown ? [upper, lower] : [],
        winner,
        battle: null,
      });
      matches.push({
        round,
        position,
        next: round === rounds ? null : [round + 1, Math.ceil(position / 2)],
        playerIds: isKnown ? [idOf(upper), idOf(lower)] : [],
      });
      next.push(winner ?? undefined);
    }
    field = next;
  }
  return { rounds, data, play: { matches } };
}

/** Returns an order in which the best two can meet only in the final. */
function seeded(size: number): number[] {
  let order = [0];
  while (order.length < size) order = order.flatMap((seed) => [seed, 2 * order.length - 1 - seed]);
  return order;
}

const idOf = (player: string) => `p_${player.replaceAll(/[^a-zA-Z0-9]/g, '')}`;
