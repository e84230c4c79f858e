import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { Batch, Failure, Movement, PublishSettings } from './movement.ts';
import { battlePackMovement, playerMovement } from './spread-marks.ts';
import { casualBattleMovement } from './publish-casual-battles.ts';
import { clubMovement } from './publish-clubs.ts';
import { giveReasons, isAnythingMarked, isMarked, markedKeys } from './marks.ts';
import { tournamentMovement } from './publish-tournaments.ts';

export interface PublishOptions extends PublishSettings {
  /** Batches under way at once. Two by default: while one's documents are written, the other's are derived. */
  workers?: number;
  /** How long something may wait for something else while nothing is published; only tests lower it. */
  patienceMs?: number;
  onProgress?: (published: Batch) => void;
  /** Publishing failed while recording goes on; it is tried again. */
  onTrouble?: (error: unknown) => void;
}

/** Names and packs first: they only mark other things. Clubs come before what moves their revisions. */
const movements = [
  playerMovement,
  battlePackMovement,
  clubMovement,
  casualBattleMovement,
  tournamentMovement,
];

/**
 * Drains all marks, whoever left them: of what changed first, and while nothing has, of what is only made anew. Several publishers may do so side by side: what another one works on is passed over, and looked at again when
 * nothing else is left. What is known to fail is left alone.
 */
export async function publishStale(
  pool: Pool,
  options: PublishOptions,
  knownToFail: Failure[] = [],
): Promise<Batch> {
  const published: Batch = { things: 0, rows: 0, failed: [...knownToFail] };
  const backlog = movements.map((movement) => new Marked(pool, movement, options, { rebuild: true }));
  let progressAt = Date.now();
  let restUntil = 0;
  while (await isAnythingMarked(pool, published.failed)) {
    await sleep(Math.max(0, restUntil - Date.now()));
    restUntil = Date.now() + restMs;
    const before = published.things;
    published.postponed = [];
    for (const movement of movements) {
      await drain(pool, options, new Marked(pool, movement, options, { rebuild: false }), published);
    }
    if (published.things === before) {
      restUntil = 0;
      for (const marked of backlog) await drain(pool, options, marked, published, backlogMs);
    }
    if (published.things === before) await publishTogether(pool, options, published);
    if (published.things > before) {
      progressAt = Date.now();
      continue;
    }
    // What waits for something that cannot be published would wait for ever.
    if (Date.now() - progressAt > (options.patienceMs ?? patienceMs)) {
      await giveReasons(pool, published.postponed);
      published.failed.push(...published.postponed);
    }
    // Somebody else is at what is left: a moment, then look again.
    await sleep(50);
  }
  return published;
}

/** Publishes as it goes while others record, and ends by draining everything they left. */
export async function publishAlongside(
  pool: Pool,
  options: PublishOptions,
  recording: Promise<unknown>,
): Promise<Batch> {
  const published: Batch = { things: 0, rows: 0, failed: [] };
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
  for (;;) {
    const { failed, postponed = [] } = await again(() => tournamentMovement.publish(pool, options, [slug]));
    if (failed.length + postponed.length > 0) return [...failed, ...postponed];
    if (!(await isMarked(pool, 'tournament', slug))) return [];
    // Another publisher is at it.
    await sleep(50);
  }
}

/** The marked keys of a movement, batch by batch, whoever asks. At its end the backlog begins anew: others were at some of it. */
class Marked {
  readonly #pool: Pool;
  readonly movement: Movement;
  readonly #options: PublishOptions;
  readonly #rebuild: boolean;
  #after = '';
  #turn: Promise<string[]> = Promise.resolve([]);

  constructor(pool: Pool, movement: Movement, options: PublishOptions, { rebuild }: { rebuild: boolean }) {
    this.#pool = pool;
    this.movement = movement;
    this.#options = options;
    this.#rebuild = rebuild;
  }

  next(): Promise<string[]> {
    this.#turn = this.#turn.then(async () => {
      const { kind, most, lighten } = this.movement;
      const asked = { rebuild: this.#rebuild, after: this.#after, most };
      const marked = await markedKeys(this.#pool, kind, asked);
      const keys = lighten === undefined ? marked : await lighten(this.#pool, marked, this.#options);
      this.#after = keys.at(-1) ?? (this.#rebuild ? '' : this.#after);
      return keys;
    });
    return this.#turn;
  }
}

/** Until nothing is left, or for about so long. */
async function drain(
  pool: Pool,
  options: PublishOptions,
  marked: Marked,
  published: Batch,
  mostMs = Infinity,
): Promise<void> {
  const end = Date.now() + mostMs;
  async function work(): Promise<void> {
    do {
      const keys = await marked.next();
      if (keys.length === 0) return;
      await publishBatch(pool, options, marked.movement, keys, published);
    } while (Date.now() < end);
  }
  await Promise.all(Array.from({ length: options.workers ?? 2 }, work));
}

/** Tournaments that wait for battles of each other, which no batch brought together. */
async function publishTogether(pool: Pool, options: PublishOptions, published: Batch): Promise<void> {
  const waiting = published.postponed?.filter(({ kind }) => kind === 'tournament') ?? [];
  if (waiting.length === 0) return;
  published.postponed = published.postponed?.filter((each) => !waiting.includes(each)) ?? [];
  const slugs = new Set(waiting.flatMap(({ key, owner }) => (owner === undefined ? [key] : [key, owner])));
  await publishBatch(pool, options, tournamentMovement, [...slugs].toSorted(), published);
}

async function publishBatch(
  pool: Pool,
  options: PublishOptions,
  { kind, publish }: Movement,
  keys: string[],
  published: Batch,
): Promise<void> {
  const failed = new Set(published.failed.filter((each) => each.kind === kind).map(({ key }) => key));
  const batch = await again(() =>
    publish(
      pool,
      options,
      keys.filter((key) => !failed.has(key)),
    ),
  );
  published.things += batch.things;
  published.rows += batch.rows;
  published.failed.push(...batch.failed);
  published.postponed?.push(...(batch.postponed ?? []));
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
/** How long what changed may have to wait for the backlog. */
const backlogMs = 1_000;
const retryMs = 5_000;
