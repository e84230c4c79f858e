// Says which tournament a refused record is about, so that a report can leave out what only follows from
// another refusal.
import type { Problem } from './feed/problem.ts';
import type { FeedRecord } from './feed/records.ts';

export interface RefusedAbout {
  /** The slug of a refused tournament record. */
  tournament?: string;
  /** Set if the record was refused only because this tournament is not recorded. */
  follows?: string;
}

export function aboutRefused(record: FeedRecord, problems: Problem[]): RefusedAbout {
  if (record.kind === 'tournament') return { tournament: record.slug };
  // The shape of `tournament` was right, so a problem there means that it is not recorded.
  const follows = 'tournament' in record && problems[0]?.path === 'tournament';
  return follows ? { follows: record.tournament } : {};
}
