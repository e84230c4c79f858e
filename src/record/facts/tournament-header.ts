import type { FactsOf } from '../columns.ts';
import type { tournament } from '../tables.ts';

export type { TieBreak } from '../feed/tournament-records.ts';

/** The row of a tournament, without its parts. */
export type TournamentHeader = FactsOf<typeof tournament>;
