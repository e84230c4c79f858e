import { LRUCache } from 'lru-cache';
import type { Content } from '../http/call.ts';
import { Body, type EncodedBody } from '../http/compress.ts';
import { isHeldIn } from '../http/etag.ts';
import type { Asker } from '../http/asker.ts';
import { createFlights } from './flights.ts';
import { createFreshness, type FreshnessOptions, type ReadMoment } from './freshness.ts';
import type { RevisionScope, ShownScope } from './newest-revisions.ts';

/** The request headers that decide what the caller gets. */
interface Wanted {
  'if-none-match'?: string | undefined;
  'accept-encoding'?: string | undefined;
}

/** The answer that a caller gets. It has no body if the caller already holds this answer. */
export type FoundAnswer = Required<Content>;

interface AnswerRequest {
  /** Identifies the answer by everything that decides it, apart from the revisions of what it shows. */
  key: string;
  wanted: Wanted;
  /** The thing or list that the answer is about. */
  scope: RevisionScope;
  /** The tags or revisions that the caller holds. Null means any. */
  held: readonly string[] | null;
  asker: Asker;
  /** Reads the answer. Throws if there is nothing to answer with. */
  read: (read: ReadRequest) => Promise<ReadAnswer>;
}

interface ReadRequest {
  /**
   * The tags or revisions among the held ones that may still be current, in which case the answer needs no
   * body. Null means any.
   */
  held: readonly string[] | null;
  /** Copies with an older revision are not used. */
  atLeast: bigint | undefined;
  asker: Asker;
}

export interface ReadAnswer extends Omit<FoundAnswer, 'body'> {
  /** The scopes that the answer shows. The thing that was asked for comes first. */
  scopes: readonly ShownScope[];
  /** Undefined if the caller holds this answer. A Buffer must own its memory. */
  content: string | Buffer | undefined;
  /** True if the answer may be kept. A copy from a replica that we do not trust may not. */
  isKeepable: boolean;
  /** The longest time to keep a page that shows more than its scopes. */
  keptForMs?: number | undefined;
}

export interface AnswerCache {
  /** Returns an answer from memory, or reads it once for all callers who ask for it at the same time. */
  answer: (request: AnswerRequest) => Promise<FoundAnswer>;
  /** Returns an answer only if it is in memory. The caller counts it as a hit once it is sent. */
  ready: (key: string, wanted: Wanted) => FoundAnswer | undefined;
  countHit: () => void;
  counts: () => { hits: number; misses: number; bytes: number };
}

export interface AnswerCacheOptions extends FreshnessOptions {
  maxBytes: number;
}

/** An answer in memory. Even without a body it can answer callers who hold it. */
interface KeptAnswer extends Omit<FoundAnswer, 'body'>, ReadMoment {
  body: Body | undefined;
  scopes: readonly ShownScope[];
  keptForMs: number;
}

/** Keeps answers of the API and pages of the site as bytes, and sends those that are still current. */
export function createAnswerCache({ maxBytes, ...freshnessOptions }: AnswerCacheOptions): AnswerCache {
  const freshness = createFreshness(freshnessOptions);
  const entries = new LRUCache<string, KeptAnswer>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ body }, key) => entryBytes + key.length + (body?.size ?? 0),
  });
  const largestBody = Math.max(maxBytes / 16, 1 << 20);
  const { newestRevisions } = freshnessOptions;
  const flights = createFlights<KeptAnswer>(newestRevisions);
  let hits = 0;
  let misses = 0;

  function isCurrent(entry: KeptAnswer): boolean {
    return freshness.isCurrent(entry) && freshness.ageOf(entry) < entry.keptForMs;
  }

  function kept(key: string): KeptAnswer | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (!isCurrent(entry)) {
      entries.delete(key);
      return undefined;
    }
    // All notices since its last use are known and none is about it, so it is as good as read now.
    entry.serial = newestRevisions.serial();
    return entry;
  }

  function ready(key: string, wanted: Wanted): FoundAnswer | undefined {
    const entry = kept(key);
    if (entry === undefined) return undefined;
    if (isHeldIn(wanted['if-none-match'], entry.etag)) return found(entry, undefined);
    const body = entry.body?.ready(wanted['accept-encoding']);
    return body && found(entry, body);
  }

  async function answer(request: AnswerRequest): Promise<FoundAnswer> {
    const { key, wanted } = request;
    const entry = await keptOrRead(request);
    if (entry.body === undefined || isHeldIn(wanted['if-none-match'], entry.etag))
      return found(entry, undefined);
    const body = entry.body.ready(wanted['accept-encoding']);
    return found(entry, body ?? (await compressed(key, entry.body, wanted)));
  }

  async function compressed(key: string, body: Body, wanted: Wanted): Promise<EncodedBody> {
    const made = await body.in(wanted['accept-encoding']);
    // The entry is larger now, and the cache measures an entry only when it is set.
    const entry = entries.peek(key);
    if (entry?.body === body) entries.set(key, { ...entry });
    return made;
  }

  async function keptOrRead(request: AnswerRequest): Promise<KeptAnswer> {
    const { key, wanted, asker } = request;
    const entry = kept(key);
    if (entry !== undefined && (entry.body !== undefined || isHeldIn(wanted['if-none-match'], entry.etag))) {
      hits += 1;
      return entry;
    }
    misses += 1;
    const held = possiblyCurrent(request);
    const name = held === null || held.length > 0 ? `${key}${JSON.stringify(held)}` : key;
    return flights.join(name, asker, (flight) => readAndKeep({ ...request, held }, flight));
  }

  /**
   * Returns the held tags that may still be current, because only those decide who shares a read. Otherwise
   * callers who hold different old tags would each cause a read of their own after every result. A tag that
   * doesn't begin with a revision, or with one older than the newest notice, can't spare the read its body.
   * It is still compared with the tag of the answer.
   */
  function possiblyCurrent({ scope, held }: AnswerRequest): readonly string[] | null {
    if (held === null) return null;
    return held.filter((tag) => {
      const revision = /^[0-9]{1,18}(?=\.|$)/.exec(tag)?.[0];
      return (
        revision !== undefined && !newestRevisions.isOld([{ scope, revision: BigInt(revision) }], Infinity)
      );
    });
  }

  async function readAndKeep(request: AnswerRequest, asker: Asker, isSecond = false): Promise<KeptAnswer> {
    const { key, held, read } = request;
    const moment = freshness.begin();
    const {
      content,
      isKeepable,
      keptForMs = Infinity,
      ...rest
    } = await read({
      held,
      atLeast: kept(key)?.scopes[0]?.revision,
      asker,
    });
    const body = content === undefined ? undefined : new Body(content);
    const made: KeptAnswer = { ...rest, body, keptForMs, ...moment };
    // Another read may have been quicker and newer. Never send an older revision than was sent before.
    const newer = kept(key);
    if (newer !== undefined && isOlder(made, newer)) {
      if (newer.body !== undefined) return newer;
      if (!isSecond) return readAndKeep(request, asker, true);
    } else if (isKeepable && isCurrent(made)) {
      keep(key, made, newer);
    }
    return made;
  }

  function keep(key: string, made: KeptAnswer, known: KeptAnswer | undefined): void {
    if (made.body !== undefined && made.body.size > largestBody)
      return keep(key, { ...made, body: undefined }, known);
    // The reader was told that the caller holds the answer, so it read no body. We keep the body that we
    // have.
    const { serial, readAt, keptForMs } = made;
    if (made.body === undefined && known?.etag === made.etag)
      entries.set(key, { ...known, serial, readAt, keptForMs });
    else entries.set(key, made);
  }

  return {
    answer,
    ready,
    countHit() {
      hits += 1;
    },
    counts: () => ({ hits, misses, bytes: entries.calculatedSize }),
  };
}

function isOlder(one: KeptAnswer, other: KeptAnswer): boolean {
  const shown = new Map(other.scopes.map(({ scope, revision }) => [scope, revision]));
  return one.scopes.some(({ scope, revision }) => revision < (shown.get(scope) ?? 0n));
}

function found({ etag, headers, type }: KeptAnswer, body: EncodedBody | undefined): FoundAnswer {
  return { etag, headers, type, body };
}

/**
 * The memory that an entry takes besides its key and body, as measured, including the free space that the
 * heap reserves for it.
 */
const entryBytes = 1_400;
