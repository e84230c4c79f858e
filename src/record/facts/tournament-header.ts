import type { MetricEntry, TieBreak } from '../feed/tournament-records.ts';
import { tournament } from '../tables.ts';
import { factColumns } from './fact-columns.ts';

export type { TieBreak };

/** The row of a tournament, without its parts. */
export interface TournamentHeader {
  slug: string;
  published: boolean;
  name: string;
  status: 'planned' | 'ongoing' | 'finished';
  startDate: string | null;
  endDate: string | null;
  description: string;
  city: string | null;
  country: string | null;
  battleSize: number;
  /** The pack's name. */
  battlePack: string | null;
  /** The club's slug. */
  organizer: string | null;
  /** Without the lot, which is always last. */
  tieBreaks: TieBreak[];
  metrics: MetricEntry[];
  standingsLabel: string;
  placementsRecorded: boolean;
}

/** Selects a `TournamentHeader` from `record.tournament`. */
export const tournamentHeaderColumns = factColumns(tournament);
