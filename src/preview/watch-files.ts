import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const lookMs = 300;

/**
 * Call it before the files are read. What it returns waits until one of them is saved; false when the signal came first. It
 * looks at them itself: programs replace a file, or write it in pieces, so it waits until two looks see the same.
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
