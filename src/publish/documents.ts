// Facts → documents: the exact JSON text of every public resource, checked against the contract before it is returned.
import type { BattleFacts, ClubFacts, TournamentFacts } from '../record/facts.ts';
import type { BattleContext } from './battle.ts';

export interface TournamentDocuments {
  slug: string;
  startDate: string | null;
  status: 'planned' | 'ongoing' | 'finished';
  /** The club's slug. */
  organizer: string | null;
  /** The tournament resource. */
  document: string;
  /** Stage ids in the order shown, with `standings` when finished. */
  stages: string[];
  /** Whose standings are shown when none are asked for. */
  defaultStage: string | null;
  /** Per stage, the whole standings answer. */
  standings: { stage: string; document: string }[];
  participants: { id: string; sortKey: string; document: string }[];
  battles: BattleDocuments[];
}

export interface BattleDocuments {
  id: string;
  tournament: string | null;
  date: string | null;
  /** Both 0 in a casual battle. */
  stageOrder: number;
  round: number;
  /** In whose battle lists it stands: not archived, not erased, no guests. */
  players: string[];
  /** Slugs of the clubs it is connected to, each once, sorted. */
  clubs: string[];
  /** As lists show it, and as the answer by id shows it. */
  listing: string;
  full: string;
}

export function tournamentDocuments(_facts: TournamentFacts, _siteUrl: string): TournamentDocuments {
  throw new Error('not written yet');
}

/** Reads no lists, rounds or metrics of battles: a battle's victory points may come already totalled. */
export function tournamentDocumentsWithoutBattles(
  _facts: TournamentFacts,
  _siteUrl: string,
): Omit<TournamentDocuments, 'battles'> {
  throw new Error('not written yet');
}

/** One battle of a tournament; `battleContext(facts)` in battle.ts gives what it needs of its tournament. */
export function battleDocuments(
  _battle: BattleFacts,
  _context: BattleContext,
  _siteUrl: string,
): BattleDocuments {
  throw new Error('not written yet');
}

export function casualBattleDocuments(_battle: BattleFacts, _siteUrl: string): BattleDocuments {
  throw new Error('not written yet');
}

export function clubDocument(_facts: ClubFacts, _siteUrl: string): string {
  throw new Error('not written yet');
}
