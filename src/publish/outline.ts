// What everything but the battles' own documents is derived from: the tournament's facts, and of each battle only what
// counts. Whole facts fit it too.
import type { BattleFacts, SideFacts, TournamentFacts } from '../record/facts.ts';

export interface TournamentOutline extends Omit<TournamentFacts, 'published' | 'metrics' | 'battles'> {
  battles: BattleOutline[];
}

export interface BattleOutline extends Pick<
  BattleFacts,
  'id' | 'stage' | 'round' | 'date' | 'finished' | 'winner'
> {
  sides: [SideOutline, SideOutline];
}

export interface SideOutline extends Pick<
  SideFacts,
  'participant' | 'faction' | 'battlePoints' | 'victoryPoints'
> {
  /** Asked only where no total of the victory points stands beside it. */
  rounds?: SideFacts['rounds'];
}
