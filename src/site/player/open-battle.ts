import { type PairingView, pairingsOf, type ParticipantView } from '../../published/views.ts';
import type { PlayerNow } from './statements.ts';

/** Returns the open battle of a player, or the newest one where there are several. */
export function openIn({
  entry,
  pairings,
}: PlayerNow): (PairingView & { other: ParticipantView }) | undefined {
  const open = pairings
    .flatMap(pairingsOf)
    .flatMap((round) => round.open)
    .flatMap((battle) => {
      const [first, second] = battle.sides;
      if (!('player' in first) || !('player' in second)) return [];
      if (first.entry !== entry && second.entry !== entry) return [];
      return [{ ...battle, other: first.entry === entry ? second : first }];
    });
  return open.reduce<(typeof open)[0] | undefined>(
    (newest, each) => (newest === undefined || each.round > newest.round ? each : newest),
    undefined,
  );
}
