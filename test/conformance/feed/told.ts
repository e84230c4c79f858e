import type { BattleEntry, MatchEntry } from '../../../src/record/feed/tournament-records.ts';

// Short functions that describe what happened, in the words of the feed.

/** Returns registered players as participants, whose ids are the same. */
export const entered = (...ids: string[]) => ids.map((id) => ({ id, player: id }));

type Score = [participant: string, victoryPoints: number, battlePoints?: number];
export const side = ([participant, victoryPoints, battlePoints]: Score) => ({
  participant,
  victoryPoints,
  ...(battlePoints !== undefined && { battlePoints }),
});
export const drawn = (
  id: string,
  stage: string,
  round: number,
  first: Score,
  second: Score,
): BattleEntry => ({
  id,
  stage,
  round,
  finished: true,
  sides: [side(first), side(second)],
});
/** Returns a battle that the first of the two won. */
export const won = (
  id: string,
  stage: string,
  round: number,
  victorySize: 'major' | 'minor',
  first: Score,
  second: Score,
): BattleEntry => ({ ...drawn(id, stage, round, first, second), winner: first[0], victorySize });

export const decided = (
  stage: string,
  round: number,
  position: number,
  winner: string,
  loser: string,
  battle: string | null,
): MatchEntry => ({ stage, round, position, table: position, players: [loser, winner], winner, battle });
