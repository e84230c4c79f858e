import { type PairingView, pairingsOf, type ParticipantView } from '../../published/views.ts';
import type { PlayerNow } from './statements.ts';

/**
 * Returns the open battle of a player. Where there are several, it is the first one by table of the newest round
 * in the last stage, as on the board.
 */
export function openIn({
  entry,
  pairings,
}: PlayerNow): (PairingView & { other: ParticipantView }) | undefined {
  const open = pairings.map((stored) => ownIn(stored, entry)).find((some) => some.length > 0);
  return open?.reduce((newest, each) => (each.round > newest.round ? each : newest));
}

function ownIn(stored: string, entry: string): (PairingView & { other: ParticipantView })[] {
  return pairingsOf(stored)
    .flatMap((round) => round.open)
    .flatMap((battle) => {
      const [first, second] = battle.sides;
      if (!('player' in first) || !('player' in second)) return [];
      if (first.entry !== entry && second.entry !== entry) return [];
      return [{ ...battle, other: first.entry === entry ? second : first }];
    });
}
