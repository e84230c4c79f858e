import type { BattlePlayer } from '../../contract/battle.ts';
import { decimalsOf } from './numbers.ts';
import type { Words } from '../words/en.ts';

/** Why a drawn game has a winner. */
export interface DrawnWin {
  /** The battle points decided. */
  isByPoints: boolean;
  /** The battle points of both. */
  points: readonly [number, number];
}

type Side = Pick<BattlePlayer, 'outcome' | 'victoryPoints' | 'battlePoints'>;

/** Undefined when the game was not drawn: the victory points differ, and nothing says draw. */
export function drawnWin(winner: Side, loser: Side): DrawnWin | undefined {
  const isEven = winner.victoryPoints !== null && winner.victoryPoints === loser.victoryPoints;
  if (!isEven && winner.outcome !== 'draw') return undefined;
  const points = [winner.battlePoints ?? 0, loser.battlePoints ?? 0] as const;
  const isByPoints = points[0] > points[1];
  return { isByPoints, points };
}

/** Without a full stop. */
export function sentenceOf({ battle, number }: Words, { isByPoints, points }: DrawnWin): string {
  if (!isByPoints) return battle.byOrganiser;
  return battle.onTieBreak(points.map((each) => number(each, decimalsOf(points))).join('–'));
}
