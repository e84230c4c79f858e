import type { BattlePlayer } from '../../contract/battle.ts';
import { decimalsOf, number } from './numbers.ts';

/** Why a drawn game has a winner. */
export interface DrawnWin {
  /** The battle points decided. */
  isByPoints: boolean;
  words: string;
}

type Side = Pick<BattlePlayer, 'outcome' | 'victoryPoints' | 'battlePoints'>;

/** Undefined when the game was not drawn: the victory points differ, and nothing says draw. */
export function drawnWin(winner: Side, loser: Side): DrawnWin | undefined {
  const isEven = winner.victoryPoints !== null && winner.victoryPoints === loser.victoryPoints;
  if (!isEven && winner.outcome !== 'draw') return undefined;
  const points = [winner.battlePoints ?? 0, loser.battlePoints ?? 0] as const;
  const isByPoints = points[0] > points[1];
  const score = points.map((each) => number(each, decimalsOf(points))).join('–');
  return {
    isByPoints,
    words: isByPoints ? `Won on tie-break: battle points ${score}` : 'Recorded as winner by the organiser',
  };
}
