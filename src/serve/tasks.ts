import type { Database } from '../database/databases.ts';
import { atMostEvery } from './at-most-every.ts';

/** The time at which each task last succeeded, in seconds since 1970, or null if it never did. */
export interface Tasks {
  backup: number | null;
  files: number | null;
}

/** Returns a function that reads these times. It returns undefined while the primary does not answer. */
export function createTasks(
  primary: Pick<Database, 'query'>,
  everyMs?: number,
): () => Promise<Tasks | undefined> {
  return atMostEvery(async () => {
    const rows = await primary
      .query<Tasks>({
        name: 'tasks',
        text: `select extract(epoch from max(done_at) filter (where name = 'backup'))::float8 as backup,
            extract(epoch from max(done_at) filter (where name = 'files'))::float8 as files
          from published.task`,
      })
      .catch(() => []);
    return rows[0];
  }, everyMs);
}
