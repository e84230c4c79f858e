import type { FactsOf } from '../columns.ts';
import type { tournament } from '../tables.ts';

export type { TieBreak } from '../feed/tournament-records.ts';

/** The row of a tournament, without its parts. */
export type TournamentHeader = FactsOf<typeof tournament>;

/** SQL for the condition that an operator hid the tournament `t`. */
export const isHiddenTournament = 'exists (select from record.hidden_tournament h where h.slug = t.slug)';
