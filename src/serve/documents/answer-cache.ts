import { LRUCache } from 'lru-cache';
import { type AnswerIdentity, etagOf, isHeldIn, revisionsHeld } from '../http/etag.ts';
import { Body } from '../http/compress.ts';
import type { BeforeRead } from './byte-budget.ts';
import { createJudge, type JudgeOptions, type ReadMoment } from './judge.ts';
import { createLeftReads, type SharedRead } from './left-reads.ts';
import type { Heard, RevisionScope, ShownScope } from './newest-revisions.ts';

/** An answer in memory. Without a body it still answers callers who hold it. */
interface KeptAnswer {
  etag: string;
  body: Body | undefined;
}

export interface AnswerRequest {
  identity: AnswerIdentity;
  scope: RevisionScope;
  ifNoneMatch: string | undefined;
  /** Of the request: gone callers need no answer. */
  signal: AbortSignal;
  /** Of the request. One that shares a read of another waits with that one. */
  owner?: string | undefined;
  /** Called when the answer is not in memory. It may wait, and it may refuse. */
  beforeRead?: BeforeRead;
  /**
   * Reads the answer from a database. `held` are the revisions that the caller has, null for any: then no text is read.
   * Copies older than `atLeast` are not used. Throws when there is nothing to answer with.
   */
  read: (read: {
    held: string[] | null;
    atLeast: bigint | undefined;
    signal: AbortSignal;
    owner: string | undefined;
  }) => Promise<ReadAnswer>;
}

export interface ReadAnswer {
  revision: string;
  /** Undefined when the caller holds this revision. Bytes are in a buffer of their own. */
  content: string | Buffer | undefined;
  /** Whether it may be kept: a copy of a replica that we do not trust may not. */
  isKeepable: boolean;
}

export interface AnswerCache {
  /**
   * From memory, or read once for all callers who ask for it at the same time. Without a body when the caller holds this
   * answer.
   */
  answer: (request: AnswerRequest) => Promise<KeptAnswer>;
  /** From memory only. It counts as a hit when it was used. */
  kept: (key: string) => KeptAnswer | undefined;
  /** Notes that this request target gets this answer. False when the answer is not in memory, or has many targets. */
  addTarget: (key: string, target: string) => boolean;
  /** Calls `forget` with each target of an answer that leaves the memory. */
  onForgotten: (forget: (target: string, key: string) => void) => void;
  /** To be called after a body was compressed: it is larger now. */
  weigh: (key: string) => void;
  countHit: () => void;
  counts: () => { hits: number; misses: number; bytes: number };
}

export interface AnswerCacheOptions extends JudgeOptions {
  mostBytes: number;
}

interface Entry extends KeptAnswer, ReadMoment {
  scopes: readonly ShownScope[];
  /** In the spellings of callers, so there may be several. */
  targets: readonly string[];
}

interface Flight extends SharedRead {
  generation: number;
  /** What was heard of the scope when the read began. */
  heard: Heard | undefined;
  result: Promise<KeptAnswer>;
}

export const keyOf = (identity: AnswerIdentity): string => JSON.stringify(identity);

/** Keeps answers as bytes, and sends those that are still current. */
export function createAnswerCache({ mostBytes, ...judging }: AnswerCacheOptions): AnswerCache {
  const { newestRevisions } = judging;
  const judge = createJudge(judging);
  const entries = new LRUCache<string, Entry>({
    maxSize: Math.max(mostBytes, 1),
    maxEntrySize: Math.max(mostBytes, 1),
    sizeCalculation: ({ body, targets }, key) =>
      entryBytes +
      key.length +
      (body?.size ?? 0) +
      targets.reduce((sum, { length }) => sum + targetBytes + length, 0),
    // An entry that replaces another one takes over its targets.
    noDisposeOnSet: true,
    dispose: ({ targets }, key) => targets.forEach((target) => forget(target, key)),
  });
  let forget: (target: string, key: string) => void = () => {};
  const flights = new Map<string, Flight>();
  const leftReads = createLeftReads();
  let hits = 0;
  let misses = 0;

  function kept(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (judge.isCurrent(entry)) return entry;
    entries.delete(key);
    return undefined;
  }

  async function answer(request: AnswerRequest): Promise<KeptAnswer> {
    const key = keyOf(request.identity);
    const hit = fromMemory(key, request);
    if (hit !== undefined) return hit;
    const held = revisionsHeld(request.ifNoneMatch, request.identity);
    const name = `${key}${JSON.stringify(held)}`;
    if (request.beforeRead !== undefined) {
      // A read from before a notice is another one, with bytes of its own.
      const seen = `${newestRevisions.generation()} ${newestRevisions.heard(request.scope)?.serial}`;
      await request.beforeRead(`${name} ${seen} ${leftReads.mark(name)}`, key);
      const meanwhile = fromMemory(key, request);
      if (meanwhile !== undefined) return meanwhile;
    }
    misses += 1;
    const flight = flightFor(name, key, held, request);
    leftReads.join(name, flight, request.signal);
    return flight.result;
  }

  function fromMemory(key: string, { ifNoneMatch }: AnswerRequest): KeptAnswer | undefined {
    const entry = kept(key);
    if (entry === undefined) return undefined;
    const isHeld = isHeldIn(ifNoneMatch, entry.etag);
    if (!isHeld && entry.body === undefined) return undefined;
    hits += 1;
    return isHeld ? { etag: entry.etag, body: undefined } : entry;
  }

  /** A caller who comes after a notice must not get what was read before it. */
  function flightFor(name: string, key: string, held: string[] | null, request: AnswerRequest): Flight {
    const generation = newestRevisions.generation();
    const heard = newestRevisions.heard(request.scope);
    const known = flights.get(name);
    const isJoinable =
      known !== undefined &&
      known.generation === generation &&
      known.heard === heard &&
      !known.controller.signal.aborted;
    if (isJoinable) return known;
    const controller = new AbortController();
    const flight: Flight = {
      generation,
      heard,
      callers: 0,
      controller,
      result: readAndKeep(key, held, request, controller.signal).finally(() => {
        if (flights.get(name) === flight) flights.delete(name);
      }),
    };
    flights.set(name, flight);
    return flight;
  }

  async function readAndKeep(
    key: string,
    held: string[] | null,
    request: AnswerRequest,
    signal: AbortSignal,
    isSecond = false,
  ): Promise<KeptAnswer> {
    const { identity, scope, read } = request;
    const moment = judge.begin();
    const atLeast = kept(key)?.scopes[0]?.revision;
    const { revision, content, isKeepable } = await read({ held, atLeast, signal, owner: request.owner });
    const made: Entry = {
      scopes: [{ scope, revision: BigInt(revision) }],
      etag: etagOf(identity, revision),
      body: content === undefined ? undefined : new Body(content),
      ...moment,
      targets: [],
    };
    // Another read may have been quicker and newer: never send less than was sent before.
    const newer = kept(key);
    if (newer !== undefined && isOlder(made, newer)) {
      if (newer.body !== undefined) return newer;
      if (!isSecond) return readAndKeep(key, held, request, signal, true);
    } else if (isKeepable && judge.isCurrent(made)) {
      keep(key, made, newer);
    }
    return made;
  }

  function keep(key: string, made: Entry, known: Entry | undefined): void {
    if (made.body !== undefined && made.body.size > largestBody)
      return keep(key, { ...made, body: undefined }, known);
    // A caller who held the answer was told so without a body: the body that is there stays.
    if (made.body === undefined && known?.etag === made.etag)
      entries.set(key, { ...known, readAt: made.readAt });
    else entries.set(key, { ...made, targets: known?.targets ?? [] });
  }

  return {
    answer,
    kept,
    addTarget(key, target) {
      const entry = entries.peek(key);
      if (entry?.targets.includes(target) === true) return true;
      if (entry === undefined || entry.targets.length >= mostTargets) return false;
      entries.set(key, { ...entry, targets: [...entry.targets, target] });
      return entries.has(key);
    },
    onForgotten(listener) {
      forget = listener;
    },
    weigh(key) {
      const entry = entries.peek(key);
      if (entry !== undefined) entries.set(key, { ...entry });
    },
    countHit() {
      hits += 1;
    },
    counts: () => ({ hits, misses, bytes: entries.calculatedSize }),
  };
}

function isOlder(one: Entry, other: Entry): boolean {
  return (one.scopes[0]?.revision ?? 0n) < (other.scopes[0]?.revision ?? 0n);
}

const largestBody = 1 << 20;
/** What an entry takes beside its key, body and targets: measured, with the free space that the heap keeps for it. */
const entryBytes = 1_400;
/** What a target takes beside its text, here and in hits.ts. */
const targetBytes = 300;
/** More spellings of one target are unusual, and may be an attempt to fill the memory. */
const mostTargets = 4;
