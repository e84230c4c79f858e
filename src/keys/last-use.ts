import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';

export interface LastUse {
  note: (keyId: string) => void;
  /** Writes all notes. Notes that cannot be written are kept for the next attempt. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Remembers in memory when each key was last used, and writes all keys together, so that there is never one
 * write per request.
 */
export function createLastUse(
  keys: Pick<Database, 'query'>,
  onError: (error: unknown) => void,
  everyMs = 10_000,
): LastUse {
  let noted = new Map<string, Date>();
  let writing: Promise<void> = Promise.resolve();

  function note(keyId: string): void {
    noted.set(keyId, new Date());
  }

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const batch = noted;
    noted = new Map();
    try {
      await keys.query(noteUse, [[...batch.keys()], [...batch.values()]]);
    } catch (error) {
      noted = new Map([...batch, ...noted]);
      onError(error);
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    note,
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Repeating this statement does no harm, because it keeps the latest time. */
const noteUse: Statement = { name: 'note_use', text: 'select keys.note_use($1, $2)' };
