import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 300;

/**
 * Starts to watch files; call it before they are read. The returned function waits until one of them has been
 * saved, or returns false if the signal comes first. It compares the files at intervals and waits until two
 * looks in a row are equal, because programs replace a file or write it in pieces.
 */
export async function watchFiles(files: string[], signal: AbortSignal): Promise<() => Promise<boolean>> {
  let known = await stateOf(files);
  return async () => {
    for (let last = known; ;) {
      await sleep(lookMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return false;
      const state = await stateOf(files);
      if (state !== known && state === last) {
        known = state;
        return true;
      }
      last = state;
    }
  };
}

async function stateOf(files: string[]): Promise<string> {
  const states = files.map(async (file) => {
    const { mtimeMs, size, ino } = await stat(file);
    return [mtimeMs, size, ino].join();
  });
  const settled = await Promise.allSettled(states);
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : 'none')).join(' ');
}
