import { LRUCache } from 'lru-cache';
import type { Content } from '../http/call.ts';
import { Body, type EncodedBody } from '../http/compress.ts';
import { isHeldIn } from '../http/etag.ts';
import type { Asker } from '../http/asker.ts';
import { createFlights } from './flights.ts';
import { createFreshness, type FreshnessOptions, type ReadMoment } from './freshness.ts';
import type { RevisionScope, ShownScope } from './newest-revisions.ts';

/** What the caller wants to have: the headers of the request. */
interface Wanted {
  'if-none-match'?: string | undefined;
  'accept-encoding'?: string | undefined;
}

/** What the caller gets. It has no body when the caller holds this answer. */
export type FoundAnswer = Required<Content>;

interface AnswerRequest {
  /** Everything that decides the answer beside the revisions of what it shows. */
  key: string;
  wanted: Wanted;
  /** What the answer is about. */
  scope: RevisionScope;
  /** The tags or revisions that the caller holds. Null means any. */
  held: readonly string[] | null;
  asker: Asker;
  /** Throws when there is nothing to answer with. */
  read: (read: ReadRequest) => Promise<ReadAnswer>;
}

interface ReadRequest {
  /** Those that may still be current, so that the answer needs no body. Null means any. */
  held: readonly string[] | null;
  /** Older copies are not used. */
  atLeast: bigint | undefined;
  asker: Asker;
}

export interface ReadAnswer extends Omit<FoundAnswer, 'body'> {
  /** What it shows. The thing that was asked for comes first. */
  scopes: readonly ShownScope[];
  /** Undefined when the caller holds this answer. Bytes are in a buffer of their own. */
  content: string | Buffer | undefined;
  /** Whether it may be kept: a copy of a replica that we do not trust may not. */
  isKeepable: boolean;
  /** For a page that shows more than its scopes: it is kept no longer than this. */
  keptForMs?: number | undefined;
}

export interface AnswerCache {
  /** From memory, or read once for all callers who ask for it at the same time. */
  answer: (request: AnswerRequest) => Promise<FoundAnswer>;
  /** From memory only. It counts as a hit when it was sent. */
  ready: (key: string, wanted: Wanted) => FoundAnswer | undefined;
  countHit: () => void;
  counts: () => { hits: number; misses: number; bytes: number };
}

export interface AnswerCacheOptions extends FreshnessOptions {
  maxBytes: number;
}

/** An answer in memory. Without a body it still answers callers who hold it. */
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
    if (entry === undefined || isCurrent(entry)) return entry;
    entries.delete(key);
    return undefined;
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
    // Its entry is larger now. The cache measures an entry when it is set.
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
   * Without this, callers who hold different old tags would each cause a read of their own after every result. A tag that
   * doesn't begin with a revision, or with one older than the newest notice, can't spare the read its body, so it doesn't
   * decide who shares a read. It is still compared with the tag of the answer.
   */
  function possiblyCurrent({ scope, held }: AnswerRequest): readonly string[] | null {
    if (held === null) return null;
    return held.filter((tag) => {
      const revision = /^[0-9]{1,18}(?=\.|$)/.exec(tag)?.[0];
      return revision !== undefined && !newestRevisions.isOld([{ scope, revision: BigInt(revision) }]);
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
    // Another read may have been quicker and newer: never send less than was sent before.
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
    // The reader was told that the caller holds the answer, so it read no body. The body that we have stays.
    const { readAt, keptForMs } = made;
    if (made.body === undefined && known?.etag === made.etag)
      entries.set(key, { ...known, readAt, keptForMs });
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

/** What an entry takes beside its key and body: measured, with the free space that the heap keeps for it. */
const entryBytes = 1_400;
