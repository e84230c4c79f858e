import type { Database } from '../database/databases.ts';
import { atMostEvery } from './at-most-every.ts';

export interface Backlog {
  /** The time that the oldest change has waited to be published. */
  lagSeconds: number;
  marks: number;
  /** The number of things that cannot be published. */
  stuckThings: number;
  /**
   * The number of changes that have been published for over 10 s, but are not yet in the list that callers
   * follow.
   */
  waitingChanges: number;
}

const unknown: Backlog = { lagSeconds: NaN, marks: NaN, stuckThings: NaN, waitingChanges: NaN };

/** Returns a function that reads the backlog. Its numbers are NaN if the primary does not answer. */
export function createBacklog(primary: Pick<Database, 'query'>, everyMs?: number): () => Promise<Backlog> {
  return atMostEvery(() => read(primary).catch(() => unknown), everyMs);
}

async function read(primary: Pick<Database, 'query'>): Promise<Backlog> {
  const [row] = await primary.query<{
    lagSeconds: number;
    marks: string;
    stuckThings: string;
    waitingChanges: string;
  }>({
    name: 'backlog',
    text: `select lag_seconds as "lagSeconds", marks, stuck_things as "stuckThings",
        (select count(*) from published.change where sequence is null and since < now() - interval '10 s') as "waitingChanges"
      from published.backlog()`,
  });
  if (row === undefined) return unknown;
  return {
    lagSeconds: row.lagSeconds,
    marks: Number(row.marks),
    stuckThings: Number(row.stuckThings),
    waitingChanges: Number(row.waitingChanges),
  };
}
