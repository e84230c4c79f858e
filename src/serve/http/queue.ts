/** How a wait ended: it was let in, it took too long, the queue was full, or the caller went away. */
export type WaitEnd = 'served' | 'late' | 'full' | 'gone';

export interface Queue<Wish> {
  /** Waits, first in, first out. The caller is inside only when the wait ends with `served`. */
  wait: (wish: Wish, signal: AbortSignal) => Promise<WaitEnd>;
  /** Lets in those for whom `isLetIn` says so, in the order in which they came. */
  letIn: (isLetIn: (wish: Wish) => boolean, most?: number) => number;
  size: () => number;
}

export interface QueueOptions {
  mostWaiting: number;
  longestWaitMs: number;
  onWaited: (ms: number, end: WaitEnd) => void;
}

export function createQueue<Wish>({ mostWaiting, longestWaitMs, onWaited }: QueueOptions): Queue<Wish> {
  const waiting = new Map<(end: WaitEnd) => void, Wish>();

  return {
    wait: async (wish, signal) => {
      if (signal.aborted) return 'gone';
      if (waiting.size >= mostWaiting) {
        onWaited(0, 'full');
        return 'full';
      }
      return new Promise((resolve) => {
        const since = performance.now();
        const end = (how: WaitEnd) => {
          waiting.delete(end);
          clearTimeout(timer);
          signal.removeEventListener('abort', goAway);
          onWaited(performance.now() - since, how);
          resolve(how);
        };
        const goAway = () => end('gone');
        const timer = setTimeout(() => end('late'), longestWaitMs);
        signal.addEventListener('abort', goAway);
        waiting.set(end, wish);
      });
    },
    letIn(isLetIn, most = Infinity) {
      let letIn = 0;
      for (const [end, wish] of waiting) {
        if (letIn >= most) break;
        if (!isLetIn(wish)) continue;
        letIn += 1;
        end('served');
      }
      return letIn;
    },
    size: () => waiting.size,
  };
}
