import type { Database } from '../database/databases.ts';
import { atMostEvery } from './at-most-every.ts';

/** The state of a source of feeds. */
export interface SourceState {
  name: string;
  /** Seconds since 1970, or null if it never sent anything. */
  lastSentAt: number | null;
  accepted: string;
  refused: string;
  isRefusing: boolean;
  /** The time for which it may be silent, or null if nobody has set one. */
  expectedSeconds: number | null;
}

/**
 * Returns a function that reads the state of all sources. Its list is empty while the primary does not
 * answer.
 */
export function createSources(
  primary: Pick<Database, 'query'>,
  everyMs?: number,
): () => Promise<SourceState[]> {
  return atMostEvery(
    () =>
      primary
        .query<SourceState>({
          name: 'sources',
          text: `select name, last_sent_at as "lastSentAt", accepted, refused, is_refusing as "isRefusing",
              expected_seconds as "expectedSeconds"
            from published.sources()`,
        })
        .catch(() => []),
    everyMs,
  );
}
