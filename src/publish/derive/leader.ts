import type { BoardRow } from '../../contract/standings.ts';

/** Who is alone in first place of a board without groups, as JSON: name and faction. Null when there is no such person. */
export function leaderOf([first, second]: readonly Pick<
  BoardRow,
  'rank' | 'group' | 'player' | 'faction'
>[]): string | null {
  if (first?.rank !== 1 || second?.rank === 1 || first.group !== undefined) return null;
  return JSON.stringify({ player: first.player, faction: first.faction });
}
