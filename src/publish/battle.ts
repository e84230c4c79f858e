import type { ArmyListFacts, TournamentFacts } from '../record/facts.ts';

/** What a battle's documents take from its tournament. */
export interface BattleContext {
  /** The club's slug. */
  organizer: string | null;
  metrics: TournamentFacts['metrics'];
  /** The place of each stage in running order, from 1. */
  stageOrder: ReadonlyMap<string, number>;
  /** The participants' own lists, by participant id; may hold only those of the battle at hand. */
  lists: ReadonlyMap<string, ArmyListFacts>;
}

export function battleContext(_facts: TournamentFacts): BattleContext {
  throw new Error('not written yet');
}
