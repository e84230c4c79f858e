import type { TournamentRecord } from '../../record/feed/records.ts';

/** A tournament record with every part of the event. */
export type WholeTournament = TournamentRecord &
  Required<
    Pick<TournamentRecord, 'stages' | 'participants' | 'byes' | 'adjustments' | 'battles' | 'matches'>
  >;
