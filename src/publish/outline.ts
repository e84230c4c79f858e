import type { BattleOutline, TournamentFacts } from '../record/facts.ts';

/** What everything but the battles' own documents is derived from: of each battle only what counts. */
export interface TournamentOutline extends Omit<TournamentFacts, 'published' | 'metrics' | 'battles'> {
  battles: BattleOutline[];
}
