import { Overloaded } from '../../database/unavailable.ts';

export interface Gate {
  /**
   * Does the work as soon as a place is free. Rejects with Overloaded when the queue is full, when the wait is too
   * long, and when the signal aborts (the caller is gone, or the deadline has answered the request).
   */
  pass: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  inside: () => number;
  waiting: () => number;
}

export interface GateOptions {
  /** How many may work at the same time. */
  places: number;
  mostWaiting: number;
  longestWaitMs: number;
  onWaited: (ms: number, end: WaitEnd) => void;
}

/** How a wait ended: the read got a place, it took too long, the queue was full, or the caller went away. */
export type WaitEnd = 'served' | 'late' | 'full' | 'gone';

/**
 * Limits how many requests read documents at the same time: more reads would only share the same few connections. The
 * others wait in a queue, first in, first out. A request gives its place back after the read, before the answer is
 * sent, so that a slow caller cannot keep it.
 */
export function createGate({ places, mostWaiting, longestWaitMs, onWaited }: GateOptions): Gate {
  let inside = 0;
  const queue = new Set<() => void>();

  async function enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new Overloaded('the caller is gone');
    if (inside < places) {
      inside += 1;
      return;
    }
    if (queue.size >= mostWaiting) {
      onWaited(0, 'full');
      throw new Overloaded('too many reads are waiting');
    }
    await wait(signal);
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const end = (how: WaitEnd) => {
        queue.delete(take);
        clearTimeout(timer);
        signal.removeEventListener('abort', goAway);
        onWaited(performance.now() - since, how);
      };
      const take = () => {
        end('served');
        resolve();
      };
      const goAway = () => {
        end('gone');
        reject(new Overloaded('the caller is gone'));
      };
      const timer = setTimeout(() => {
        end('late');
        reject(new Overloaded('no place to read was free in time'));
      }, longestWaitMs);
      signal.addEventListener('abort', goAway);
      queue.add(take);
    });
  }

  function leave(): void {
    const [next] = queue;
    // The next in the queue takes over the place, so that a new request cannot take it first.
    if (next === undefined) inside -= 1;
    else next();
  }

  return {
    pass: async (signal, work) => {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    inside: () => inside,
    waiting: () => queue.size,
  };
}
