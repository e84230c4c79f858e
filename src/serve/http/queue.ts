/** How a wait ended: it was let in, it took too long, the queue was full, or the caller went away. */
export const waitEnds = ['served', 'late', 'full', 'gone'] as const;
export type WaitEnd = (typeof waitEnds)[number];

export interface Queue<Wish> {
  /** Waits, first in, first out in each lane. The caller is inside only when the wait ends with `served`. */
  wait: (wish: Wish, signal: AbortSignal, lane?: string) => Promise<WaitEnd>;
  /** Lets in those of each lane for whom `isLetIn` says so, the first first. A lane that was served comes last the next time. */
  letIn: (isLetIn: (wish: Wish) => boolean, most?: number) => number;
  size: () => number;
  /** Whether no more can wait in this lane. Others may still find a place in theirs. */
  isFull: (lane?: string) => boolean;
  isWaiting: (lane?: string) => boolean;
}

export interface QueueOptions {
  /** In a queue that was empty a moment ago. One that stands longer must be shorter, see `createQueue`. */
  mostWaiting: number;
  longestWaitMs: number;
  onWaited: (ms: number, end: WaitEnd) => void;
  /** So many may always wait, also after a moment in which nothing was served. */
  fewestWaiting?: number;
}

/**
 * A burst may fill the queue. A queue that stands for longer than the longest wait means that more is asked for than can be
 * served. Then it takes only as many as are served in a tenth of that time, or up to 256 if they are served in half of it. So
 * the requests that are let in get their answers soon, and the others cost little. A full queue still takes from a lane that has less than its share: then the longest lane
 * gives up a place.
 */
export function createQueue<Wish>({
  mostWaiting,
  longestWaitMs,
  onWaited,
  fewestWaiting = 32,
}: QueueOptions): Queue<Wish> {
  const lanes = new Map<string, Map<(end: WaitEnd) => void, Wish>>();
  let size = 0;
  let periodBegan = 0;
  let served = 0;
  let mostNow = mostWaiting;

  function beginPeriod(most: number): void {
    [periodBegan, served, mostNow] = [performance.now(), 0, most];
  }

  function isFull(lane = ''): boolean {
    const ms = performance.now() - periodBegan;
    if (size === 0) beginPeriod(mostWaiting);
    else if (ms > 0 && ms >= longestWaitMs) {
      const servable = (served / ms) * longestWaitMs;
      const usual = Math.min(usuallyWaiting, Math.max(servable / 2, fewestWaiting));
      beginPeriod(Math.min(mostWaiting, Math.max(servable / 10, usual)));
    }
    // The last places are for lanes below their share. Else these would have to push out others, one for each answer.
    if (size < mostNow - Math.min(lanes.size - 1, mostNow / 8)) return false;
    const waiting = lanes.get(lane);
    const share = Math.floor(mostNow / (lanes.size + (waiting === undefined ? 1 : 0)));
    return (waiting?.size ?? 0) >= share;
  }

  /** The one that has waited the longest goes: it would be too late soon. */
  function makePlace(): void {
    let longest: Map<(end: WaitEnd) => void, Wish> | undefined;
    for (const waiting of lanes.values()) if (waiting.size > (longest?.size ?? 0)) longest = waiting;
    for (const [end] of longest ?? []) return end('full');
  }

  function join(lane: string, end: (end: WaitEnd) => void, wish: Wish): void {
    const waiting = lanes.get(lane);
    if (waiting === undefined) lanes.set(lane, new Map([[end, wish]]));
    else waiting.set(end, wish);
    size += 1;
  }

  function leave(lane: string, end: (end: WaitEnd) => void): void {
    const waiting = lanes.get(lane);
    if (waiting?.delete(end) !== true) return;
    size -= 1;
    if (waiting.size === 0) lanes.delete(lane);
  }

  return {
    wait: async (wish, signal, lane = '') => {
      if (signal.aborted) return 'gone';
      if (isFull(lane)) {
        onWaited(0, 'full');
        return 'full';
      }
      if (size >= mostNow) makePlace();
      return new Promise((resolve) => {
        const since = performance.now();
        const end = (how: WaitEnd) => {
          leave(lane, end);
          clearTimeout(timer);
          signal.removeEventListener('abort', goAway);
          onWaited(performance.now() - since, how);
          resolve(how);
        };
        const goAway = () => end('gone');
        const timer = setTimeout(() => end('late'), longestWaitMs);
        signal.addEventListener('abort', goAway);
        join(lane, end, wish);
      });
    },
    letIn(isLetIn, most = Infinity) {
      let letIn = 0;
      for (const [lane, waiting] of lanes) {
        const before = letIn;
        let passedOver = 0;
        for (const [end, wish] of waiting) {
          if (letIn >= most || passedOver >= mostPassedOver) break;
          if (!isLetIn(wish)) {
            passedOver += 1;
            continue;
          }
          letIn += 1;
          served += 1;
          end('served');
        }
        if (letIn > before && lanes.delete(lane)) lanes.set(lane, waiting);
        if (letIn >= most) break;
      }
      return letIn;
    },
    size: () => size,
    isFull,
    isWaiting: (lane = '') => lanes.has(lane),
  };
}

/** One that needs more room does not hold up the next ones. To look at all of them would cost too much. */
const mostPassedOver = 8;

/** So many callers who ask again as soon as they are answered are no overload. */
export const usuallyWaiting = 256;
