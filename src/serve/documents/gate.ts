import { Overloaded } from '../../database/unavailable.ts';
import { createQueue, type QueueOptions, type WaitEnd } from '../http/queue.ts';

export interface Gate {
  /**
   * Does the work as soon as a place is free. Rejects with Overloaded when the queue is full, when the wait is too
   * long, and when the signal aborts (the caller is gone, or the deadline has answered the request).
   */
  pass: <T>(signal: AbortSignal, work: () => Promise<T>, owner?: string) => Promise<T>;
  inside: () => number;
  waiting: () => number;
  /** Whether no more requests of this owner can wait. */
  isFull: (owner?: string) => boolean;
}

export interface GateOptions extends QueueOptions {
  /** How many may work at the same time. */
  places: number;
}

/**
 * Limits how many requests read documents at the same time: more reads would only share the same few connections. The
 * others wait in a queue, each owner in a lane of its own, first in, first out. A request gives its place back after the
 * read, before the answer is sent, so that a slow caller cannot keep it.
 */
export function createGate({ places, ...options }: GateOptions): Gate {
  let inside = 0;
  const queue = createQueue<undefined>(options);

  async function enter(signal: AbortSignal, owner: string): Promise<void> {
    if (!signal.aborted && inside < places) {
      inside += 1;
      return;
    }
    refuseUnlessServed(await queue.wait(undefined, signal, owner));
  }

  function leave(): void {
    // The next in the queue takes over the place, so that a new request cannot take it first.
    if (queue.letIn(() => true, 1) === 0) inside -= 1;
  }

  return {
    pass: async (signal, work, owner = '') => {
      await enter(signal, owner);
      try {
        const done = await work();
        // What follows a read can cost more than the read.
        refuseGone(signal);
        return done;
      } finally {
        leave();
      }
    },
    inside: () => inside,
    waiting: queue.size,
    isFull: queue.isFull,
  };
}

export function refuseUnlessServed(end: WaitEnd): void {
  if (end !== 'served') throw new Overloaded(reasons[end]);
}

export function refuseGone(signal: AbortSignal): void {
  if (signal.aborted) throw new Overloaded(reasons.gone);
}

const reasons = {
  full: 'too many requests are waiting',
  late: 'there was no room in time',
  gone: 'the caller is gone',
};
