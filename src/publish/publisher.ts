import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { PublishResult, Failure, KindPublisher, Postponed, PublishSettings } from './kind-publisher.ts';
import { battlePackPublisher, playerPublisher } from './publish-players-and-packs.ts';
import { casualBattlePublisher } from './publish-casual-battles.ts';
import { clubPublisher } from './publish-clubs.ts';
import { StaleBatches } from './stale-batches.ts';
import { giveReasons, isAnythingMarked, isMarked, type Urgency } from './stale-queue.ts';
import { tournamentPublisher } from './publish-tournaments.ts';

export interface PublishOptions extends PublishSettings {
  /** Batches under way at once. Two by default: while one's documents are written, the other's are derived. */
  workers?: number;
  /** How long something may wait for something else to be published; only tests lower it. */
  patienceMs?: number;
  onProgress?: (published: PublishResult) => void;
  /** Publishing failed while recording goes on; it is tried again. */
  onTrouble?: (error: unknown) => void;
}

/**
 * What changed, in the order in which it is looked at. Names first: they only mark other things. Clubs come before what moves
 * their revisions, results before everything that is merely much.
 */
const changes: [KindPublisher, Urgency][] = [
  [playerPublisher, 'change'],
  [battlePackPublisher, 'change'],
  [clubPublisher, 'change'],
  [tournamentPublisher, 'result'],
  [casualBattlePublisher, 'change'],
  [tournamentPublisher, 'change'],
];
const rebuilds: [KindPublisher, Urgency][] = [
  [clubPublisher, 'rebuild'],
  [casualBattlePublisher, 'rebuild'],
  [tournamentPublisher, 'rebuild'],
];

/**
 * Drains all marks, whoever left them, a slice of each at a time: of what changed, and in between of what is only made anew.
 * Several publishers may do so side by side: what another one works on is passed over, and looked at again. What fails is
 * tried again after a while, as long as there is other work; what is known to fail is left alone at first.
 */
export async function publishStale(
  pool: Pool,
  options: PublishOptions,
  knownToFail: Failure[] = [],
): Promise<PublishResult> {
  const published: PublishResult = { things: 0, rows: 0, failed: [...knownToFail] };
  const ofMarks = ([movement, urgency]: [KindPublisher, Urgency]) =>
    new StaleBatches(pool, options, movement, urgency);
  const [fresh, backlog] = [changes.map(ofMarks), rebuilds.map(ofMarks)];
  const waiting = new Waiting(options.patienceMs ?? patienceMs);
  let retryAt = Date.now() + retryMs;
  let restUntil = 0;
  while (await isAnythingMarked(pool, published.failed)) {
    await sleep(Math.max(0, restUntil - Date.now()));
    const began = Date.now();
    if (began >= retryAt) {
      published.failed = [];
      retryAt = began + retryMs;
    }
    const before = published.things;
    published.postponed = [];
    for (const marked of fresh) await drain(pool, options, marked, published, sliceMs);
    if (waiting.isDue(published.postponed)) await publishTogether(pool, options, published);
    const isBusy = published.things > before;
    restUntil = isBusy ? began + restMs : 0;
    // While results keep coming, the time until the next ones is the backlog's.
    const end = Date.now() + (isBusy ? restMs : sliceMs);
    for (const marked of backlog) await drain(pool, options, marked, published, end - Date.now());
    const givenUp = waiting.giveUp(published.postponed);
    if (givenUp.length > 0) {
      await again(() => giveReasons(pool, givenUp));
      published.failed.push(...givenUp);
    }
    // Nothing done: somebody else is at what is left, or it waits for something.
    if (published.things === before) await sleep(100);
  }
  return published;
}

/** How long things have been waiting for others to be published without something. */
class Waiting {
  readonly #patienceMs: number;
  #since = new Map<string, number>();
  #lookAt = 0;

  constructor(ms: number) {
    this.#patienceMs = ms;
  }

  /** Whether to look at once at all that wait: now and then, since it is all derived again. */
  isDue(postponed: Postponed[] = []): boolean {
    if (postponed.length === 0 || Date.now() < this.#lookAt) return false;
    this.#lookAt = Date.now() + 1_000;
    return true;
  }

  /** Those that have waited so long that what they wait for will not come. */
  giveUp(postponed: Postponed[] = []): Postponed[] {
    const now = Date.now();
    const byName = new Map(postponed.map((each) => [`${each.kind} ${each.key}`, each]));
    this.#since = new Map([...byName.keys()].map((name) => [name, this.#since.get(name) ?? now]));
    return [...byName]
      .filter(([name]) => now - (this.#since.get(name) ?? now) > this.#patienceMs)
      .map(([, each]) => each);
  }
}

/** Publishes as it goes while others record, and ends by draining everything they left. */
export async function publishAlongside(
  pool: Pool,
  options: PublishOptions,
  recording: Promise<unknown>,
): Promise<PublishResult> {
  const published: PublishResult = { things: 0, rows: 0, failed: [] };
  let isRecording = true;
  let retryAt = 0;
  let restingMs = 0;
  const ended = recording.then(
    () => (isRecording = false),
    () => (isRecording = false),
  );
  for (;;) {
    const isLast = !isRecording;
    const isRetry = isLast || Date.now() >= retryAt;
    try {
      // While the recording is at work beside it, one batch at a time: both share this process's memory.
      const { things, rows, failed } = await publishStale(
        pool,
        isLast ? options : { ...options, workers: 1 },
        isRetry ? [] : published.failed,
      );
      published.things += things;
      published.rows += rows;
      published.failed = failed;
      restingMs = things > 0 ? restMs : lookMs;
      if (isRetry) retryAt = Date.now() + retryMs;
    } catch (error) {
      // An event is being followed: a failover must not end the publishing while the recording goes on.
      if (isLast) throw error;
      options.onTrouble?.(error);
      restingMs = 1_000;
    }
    if (isLast) return published;
    await Promise.race([ended, sleep(restingMs)]);
  }
}

/** One tournament at once, before anything else that is marked. Returns why it could not be, if so. */
export async function publishTournament(
  pool: Pool,
  options: PublishOptions,
  slug: string,
): Promise<Failure[]> {
  const together = new Set([slug]);
  for (;;) {
    const result = await again(() => tournamentPublisher.publish(pool, options, [...together].toSorted()));
    const postponed = result.postponed?.find(({ key }) => key === slug);
    const failed = result.failed.filter(({ key }) => key === slug);
    if (failed.length > 0) return failed;
    if (postponed === undefined) {
      if (!(await isMarked(pool, 'tournament', slug))) return [];
      // Another publisher is at it.
      await sleep(50);
    } else if (postponed.waitsFor === undefined || together.has(postponed.waitsFor)) {
      return [postponed];
    } else {
      together.add(postponed.waitsFor);
    }
  }
}

/** Until nothing is left, or for about so long; where there is no time, not at all. */
async function drain(
  pool: Pool,
  options: PublishOptions,
  marked: StaleBatches,
  published: PublishResult,
  mostMs: number,
): Promise<void> {
  const end = Date.now() + mostMs;
  async function work(): Promise<void> {
    while (Date.now() < end) {
      const keys = await marked.next();
      if (keys.length === 0) return;
      await publishBatch(pool, options, marked.movement, keys, published);
    }
  }
  await Promise.all(Array.from({ length: options.workers ?? 2 }, work));
}

/** Tournaments that wait for battles of each other, which no batch brought together. */
async function publishTogether(pool: Pool, options: PublishOptions, published: PublishResult): Promise<void> {
  const waiting = published.postponed?.filter(({ kind }) => kind === 'tournament') ?? [];
  if (waiting.length === 0) return;
  published.postponed = published.postponed?.filter((each) => !waiting.includes(each)) ?? [];
  const slugs = new Set(
    waiting.flatMap(({ key, waitsFor }) => (waitsFor === undefined ? [key] : [key, waitsFor])),
  );
  await publishBatch(pool, options, tournamentPublisher, [...slugs].toSorted(), published);
}

async function publishBatch(
  pool: Pool,
  options: PublishOptions,
  { kind, publish }: KindPublisher,
  keys: string[],
  published: PublishResult,
): Promise<void> {
  const failed = new Set(published.failed.filter((each) => each.kind === kind).map(({ key }) => key));
  const result = await again(() =>
    publish(
      pool,
      options,
      keys.filter((key) => !failed.has(key)),
    ),
  );
  published.things += result.things;
  published.rows += result.rows;
  published.failed.push(...result.failed);
  published.postponed?.push(...(result.postponed ?? []));
  options.onProgress?.(published);
}

/** Two publishers that meet over a battle, or over the rows of players and clubs: try again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (attempt === 5 || !passingCodes.has(String(code))) throw error;
      await sleep(50 * attempt);
    }
  }
}

const passingCodes = new Set(['23505', '40001', '40P01']);
const patienceMs = 20_000;
/** Results arrive in waves: those of one moment are published together. */
const restMs = 300;
const lookMs = 100;
/** How long one sort of marks is drained before the others have their turn. */
const sliceMs = 1_000;
const retryMs = 5_000;
