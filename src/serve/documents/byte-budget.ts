import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Overloaded } from '../../database/unavailable.ts';
import { createQueue, type QueueOptions, usuallyWaiting } from '../http/queue.ts';
import { refuseGone, refuseUnlessServed } from './gate.ts';

// Bounds the memory of answers that are being read from a database, and of answers that callers have not read yet.

export interface ByteBudget {
  /** What one request counts. It ends by itself when the response closes. */
  claimFor: (owner: string, response: ServerResponse) => Claim;
  /** Whether this owner may be sent these bytes now. */
  fits: (owner: string, bytes: Buffer) => boolean;
  used: () => number;
  hasLarge: () => boolean;
  waiting: () => number;
  /** No more requests of this owner can wait, until one leaves. */
  isFullFor: (owner: string) => boolean;
}

interface Claim {
  /**
   * Asks for an answer, and waits for room. Rejects with Overloaded when no room becomes free in time. Before a read it is
   * room for the answer's last known size, else for that of its family, else for 256 kB.
   */
  obtain: <Answer>(wanted: Wanted<Answer>) => Promise<Answer>;
  /** Counts these bytes in place of those before, even without room for them: they are in memory, and will be sent. */
  become: (bytes: Buffer) => void;
}

interface Wanted<Answer> {
  /** Takes the answer from memory, or calls `beforeRead` and reads it. */
  ask: (beforeRead: BeforeRead) => Promise<Answer>;
  bytesOf: (answer: Answer) => Buffer | undefined;
  /** Answers of similar size, such as all pages of one list. */
  family: string;
  signal: AbortSignal;
}

/** `read` names the read that several requests may share, `answer` is the answer whose size is remembered. */
export type BeforeRead = (read: string, answer: string) => Promise<void>;

export interface ByteBudgetOptions extends QueueOptions {
  mostBytes: number;
}

/** A buffer, or the name of a read. Requests that share it count it once. */
type Thing = Buffer | string;

interface Wish {
  owner: string;
  thing: Thing;
  bytes: number;
}

export function createByteBudget({ mostBytes, ...waiting }: ByteBudgetOptions): ByteBudget {
  const share = mostBytes / shares;
  const things = new Map<Thing, { bytes: number; requestsOf: Map<string, number> }>();
  const usedBy = new Map<string, number>();
  let used = 0;
  /** Expected bytes of large answers that are being read. */
  let reading = 0;
  /** Of all large things. */
  let large = 0;
  // Some wait for a slow caller, while others pass without waiting. So what is served from the queue says nothing.
  const queue = createQueue<Wish>({ ...waiting, fewestWaiting: usuallyWaiting });
  /** Of answers above the usual size. */
  const sizes = new LRUCache<string, number>({ max: 1_000 });

  function hasRoom({ owner, thing, bytes }: Wish): boolean {
    if (used === 0) return true;
    const known = things.get(thing);
    if (known?.requestsOf.has(owner) === true) return true;
    const ofOwner = usedBy.get(owner) ?? 0;
    // One answer alone may be larger than the share: it could never be sent otherwise.
    if (ofOwner > 0 && ofOwner + bytes > share) return false;
    if (known !== undefined) return true;
    // A read takes several times the memory of its answer, so only a share of large ones runs at once.
    if (isLargeRead(thing, bytes) && reading > 0 && reading + bytes > share) return false;
    // One at a time always finds room: otherwise usual answers could keep large ones out for as long as they come.
    if (bytes > usualBytes && large === 0) return true;
    // Large answers leave a share free, so that usual ones find room while some callers read slowly.
    return used + bytes <= (bytes > usualBytes ? mostBytes - share : mostBytes);
  }

  function add({ owner, thing, bytes }: Wish): void {
    let known = things.get(thing);
    if (known === undefined) {
      known = { bytes, requestsOf: new Map() };
      things.set(thing, known);
      used += bytes;
      if (bytes > usualBytes) large += bytes;
      if (isLargeRead(thing, bytes)) reading += bytes;
    }
    const requests = known.requestsOf.get(owner) ?? 0;
    known.requestsOf.set(owner, requests + 1);
    if (requests === 0) addTo(owner, known.bytes);
  }

  function remove(owner: string, thing: Thing): void {
    const known = things.get(thing);
    const requests = known?.requestsOf.get(owner);
    if (known === undefined || requests === undefined) return;
    if (requests > 1) {
      known.requestsOf.set(owner, requests - 1);
      return;
    }
    known.requestsOf.delete(owner);
    addTo(owner, -known.bytes);
    if (known.requestsOf.size > 0) return;
    things.delete(thing);
    uncount(thing, known.bytes);
  }

  /** The read is done: from now on its bytes count, not what was expected. */
  function endRead(read: Thing): void {
    const known = things.get(read);
    if (known === undefined) return;
    for (const owner of known.requestsOf.keys()) addTo(owner, -known.bytes);
    uncount(read, known.bytes);
    known.bytes = 0;
  }

  function uncount(thing: Thing, bytes: number): void {
    used -= bytes;
    if (bytes > usualBytes) large -= bytes;
    if (isLargeRead(thing, bytes)) reading -= bytes;
  }

  function addTo(owner: string, bytes: number): void {
    const sum = (usedBy.get(owner) ?? 0) + bytes;
    if (sum > 0) usedBy.set(owner, sum);
    else usedBy.delete(owner);
  }

  function addIfRoom(wish: Wish): boolean {
    const isAdded = hasRoom(wish);
    if (isAdded) add(wish);
    return isAdded;
  }

  function claimFor(owner: string, response: ServerResponse): Claim {
    let counted: Thing | undefined;
    let isOver = false;
    let isReading = false;

    function giveBack(): void {
      if (counted !== undefined) remove(owner, counted);
      counted = undefined;
      if (queue.size() > 0) queue.letIn(addIfRoom);
    }
    response.once('close', () => {
      isOver = true;
      // A read goes on without its caller. Else callers who leave at once could have any number of large ones run.
      if (!isReading) giveBack();
    });

    async function untilRead<Answer>(asked: Promise<Answer>): Promise<Answer> {
      try {
        return await asked;
      } finally {
        isReading = false;
        if (isOver) giveBack();
      }
    }

    async function waitFor(thing: Thing, bytes: number, signal: AbortSignal): Promise<void> {
      refuseGone(signal);
      const wish = { owner, thing, bytes };
      if (!addIfRoom(wish)) {
        const end = await queue.wait(wish, signal, laneOf(owner, bytes > usualBytes));
        // There may be room for the next one.
        if (end !== 'served' && queue.size() > 0) queue.letIn(addIfRoom);
        refuseUnlessServed(end);
      }
      counted = thing;
      if (isOver) giveBack();
    }

    function become(bytes: Buffer): void {
      if (isOver || counted === bytes) return;
      add({ owner, thing: bytes, bytes: bytes.length });
      giveBack();
      counted = bytes;
    }

    /** False when there is no room. */
    function correct(answer: string, family: string, bytes: Buffer): boolean {
      for (const name of [answer, family]) {
        if (bytes.length > usualBytes) sizes.set(name, bytes.length);
        else sizes.delete(name);
      }
      if (counted !== undefined) endRead(counted);
      const isThereRoom = hasRoom({ owner, thing: bytes, bytes: bytes.length });
      if (isThereRoom) become(bytes);
      else giveBack();
      return isThereRoom;
    }

    return {
      become,
      async obtain({ ask, bytesOf, family, signal }) {
        for (let attempt = 1; attempt <= 2; attempt += 1) {
          let read: string | undefined;
          const answer = await untilRead(
            ask(async (name, of) => {
              await waitFor(name, sizes.get(of) ?? sizes.get(family) ?? usualBytes, signal);
              isReading = true;
              read = of;
            }),
          );
          const bytes = bytesOf(answer);
          if (bytes === undefined || isOver) return answer;
          if (read === undefined) await waitFor(bytes, bytes.length, signal);
          else if (!correct(read, family, bytes)) continue; // We drop the answer, and wait for room of its real size.
          return answer;
        }
        throw new Overloaded('there is no room for an answer of this size');
      },
    };
  }

  return {
    claimFor,
    fits: (owner, bytes) => used === 0 || hasRoom({ owner, thing: bytes, bytes: bytes.length }),
    used: () => used,
    hasLarge: () => large > 0,
    waiting: queue.size,
    isFullFor: (owner) =>
      [false, true].some((isLarge) => {
        const lane = laneOf(owner, isLarge);
        return queue.isWaiting(lane) && queue.isFull(lane);
      }),
  };
}

/** An owner does not wait for others, and a usual answer does not wait for a large one. */
function laneOf(owner: string, isLarge: boolean): string {
  return `${owner} ${isLarge}`;
}

function isLargeRead(thing: Thing, bytes: number): boolean {
  return typeof thing === 'string' && bytes > usualBytes;
}

/** One owner may use one of them. */
const shares = 4;
/** With the default of 64 MB, one key has room for as many reads as there are places to read. */
const usualBytes = 256 * 1_024;
