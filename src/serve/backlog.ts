import type { Database } from '../database/databases.ts';
import { atMostEvery } from './at-most-every.ts';

export interface Backlog {
  /** How long the oldest change has waited to be published. */
  lagSeconds: number;
  marks: number;
  /** Things that cannot be published. */
  stuckThings: number;
}

const unknown: Backlog = { lagSeconds: NaN, marks: NaN, stuckThings: NaN };

/** NaN: the primary gave no answer. */
export function createBacklog(primary: Pick<Database, 'query'>, everyMs?: number): () => Promise<Backlog> {
  return atMostEvery(() => read(primary).catch(() => unknown), everyMs);
}

async function read(primary: Pick<Database, 'query'>): Promise<Backlog> {
  const [row] = await primary.query<{ lagSeconds: number; marks: string; stuckThings: string }>({
    name: 'backlog',
    text: 'select lag_seconds as "lagSeconds", marks, stuck_things as "stuckThings" from published.backlog()',
  });
  if (row === undefined) return unknown;
  return { lagSeconds: row.lagSeconds, marks: Number(row.marks), stuckThings: Number(row.stuckThings) };
}
