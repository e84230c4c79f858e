import { TimeLimit, type Timed } from '../availability/time-limit.ts';
import { Overloaded } from '../availability/unavailable.ts';
import type { Asker } from '../http/asker.ts';

// Decides who may read now. More simultaneous reads would only share the same few connections. Each owner (a
// key, or the site) has a queue, first in, first out, and owners are served in turns. The states of a read:
//
//   asks ──► inside                 a slot is free, and the owner is within its limits
//        ├─► waits ──► inside       its turn came
//        │         ├─► late         it waited longer than 500 ms
//        │         └─► gone         its caller left
//        └─► full ──► refused       1,000 wait, or 500 of this owner, or 8 of it and the oldest for 250 ms
//
// So a burst may wait, but a queue that is not served in time takes no more, so that whatever it holds is
// answered soon. A refusal is sent after a second, because a program that asks again at once would take the
// processor away from the reads that are served.

/** The ways in which a wait can end. */
export const waitEnds = ['served', 'late', 'full', 'gone'] as const;
export type WaitEnd = (typeof waitEnds)[number];

export interface Admission {
  /**
   * Does the work as soon as there is a free slot. Rejects with Overloaded if the wait ends in any other way.
   */
  pass: <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;
  /** Must be called when an owner may have more room than before. */
  letIn: () => void;
  inside: () => number;
  waiting: () => number;
}

export interface AdmissionOptions {
  slots: number;
  /** Returns how many of the slots this owner may use. */
  maxOf: (owner: string) => number;
  /** Returns true if the owner may read more, as far as bytes are concerned. */
  hasRoom: (owner: string) => boolean;
  onWaited: (ms: number, end: WaitEnd) => void;
  longestWaitMs?: number | undefined;
  refusedAfterMs?: number;
}

interface Waiting extends Timed {
  owner: string;
  settle: (end: WaitEnd) => void;
}

const unlisted = { startedAt: 0, before: undefined, after: undefined };
const maxWaiting = 1_000;
const fewWaiting = 8;
const longestStandingMs = 250;
const maxRemembered = 1_000;

export function createAdmission(options: AdmissionOptions): Admission {
  const { slots, maxOf, hasRoom, onWaited, longestWaitMs = 500, refusedAfterMs = 1_000 } = options;
  const insideOf = new Map<string, number>();
  /** The queues of the owners that wait. The owner that is served next comes first. */
  const waitingByOwner = new Map<string, Waiting[]>();
  const refused = new TimeLimit<Waiting>(refusedAfterMs, (read) => read.settle('full'));
  const late = new TimeLimit<Waiting>(longestWaitMs, (read) => end(read, 'late'));
  let inside = 0;
  let waiting = 0;

  function mayEnter(owner: string): boolean {
    return inside < slots && (insideOf.get(owner) ?? 0) < maxOf(owner) && hasRoom(owner);
  }

  function enter(owner: string): void {
    inside += 1;
    insideOf.set(owner, (insideOf.get(owner) ?? 0) + 1);
  }

  function leave(owner: string): void {
    inside -= 1;
    // An owner keeps its 0 for the next read, because constantly filling and emptying a Map costs memory.
    insideOf.set(owner, (insideOf.get(owner) ?? 1) - 1);
    if (inside === 0 && insideOf.size > maxRemembered) insideOf.clear();
    if (waiting > 0) letIn();
  }

  function letIn(): void {
    for (const [owner, queue] of waitingByOwner) {
      if (inside >= slots) return;
      const [first] = queue;
      if (first === undefined || !mayEnter(owner)) continue;
      enter(owner);
      end(first, 'served');
      // Its next read comes after those of the others. The loop will reach it again.
      if (waitingByOwner.delete(owner) && queue.length > 0) waitingByOwner.set(owner, queue);
    }
  }

  function end(read: Waiting, how: WaitEnd): void {
    const queue = waitingByOwner.get(read.owner) ?? [];
    if (!queue.includes(read)) return;
    queue.splice(queue.indexOf(read), 1);
    if (queue.length === 0) waitingByOwner.delete(read.owner);
    waiting -= 1;
    late.remove(read);
    onWaited(performance.now() - read.startedAt, how);
    read.settle(how);
  }

  function isFull(owner: string): boolean {
    const queue = waitingByOwner.get(owner) ?? [];
    if (waiting >= maxWaiting || queue.length >= maxWaiting / 2) return true;
    const standingMs = performance.now() - (queue[0]?.startedAt ?? Infinity);
    return queue.length >= fewWaiting && standingMs >= longestStandingMs;
  }

  function refuse(asker: Asker): Promise<WaitEnd> {
    asker.isRefused = true;
    onWaited(0, 'full');
    return new Promise((settle) => refused.add({ owner: asker.owner, settle, ...unlisted }));
  }

  function wait(asker: Asker): Promise<WaitEnd> {
    return new Promise((settle) => {
      const read: Waiting = { owner: asker.owner, settle, ...unlisted };
      if (waitingByOwner.get(read.owner)?.push(read) === undefined) waitingByOwner.set(read.owner, [read]);
      waiting += 1;
      late.add(read);
      asker.whenOver(() => end(read, 'gone'));
    });
  }

  return {
    async pass(asker, work) {
      const { owner } = asker;
      if (!waitingByOwner.has(owner) && mayEnter(owner)) enter(owner);
      else {
        const how = await (isFull(owner) ? refuse(asker) : wait(asker));
        if (how !== 'served') throw refusals[how];
      }
      asker.isInside = true;
      try {
        return await work();
      } finally {
        leave(owner);
      }
    },
    letIn,
    inside: () => inside,
    waiting: () => waiting,
  };
}

// These are created once, because an error with its stack costs more than the refusal.
const [full, late, gone] = ['too many wait', 'no slot in time', 'the caller is gone'].map(
  (why) => new Overloaded(why),
);
const refusals = { full, late, gone };
