import type { Pool } from '../database/pool.ts';
import {
  type KindPublisher,
  nothingPublished,
  type Postponed,
  type PublishResult,
  type PublishSettings,
  type PublishTotals,
} from './kind-publisher.ts';
import type { Failure } from '../record/backlog/drain.ts';
import type { KnownFailures } from './known-failures.ts';
import { tournamentPublisher } from './publish-tournaments.ts';
import type { BacklogBatches } from './backlog-batches.ts';
import { giveReasons } from '../record/backlog/drain.ts';
import { numberChanges } from './number-changes.ts';
import { retryConflicts } from './transactions.ts';

export interface RunOptions extends PublishSettings {
  /**
   * Set while the recording goes on. The recording shares the memory of this process, so only one batch is
   * published at a time. Months that were computed less than a minute ago are left to a later call.
   */
  isCalledAgain?: boolean;
  onProgress?: (published: PublishTotals) => void;
}

/** Publishes batches and adds up their results. */
export class PublishRun {
  readonly #pool: Pool;
  readonly #options: RunOptions;
  readonly #failures: KnownFailures;
  #things = 0;
  #rows = 0;
  #settled = 0;
  #postponed: Postponed[] = [];

  constructor(pool: Pool, options: RunOptions, failures: KnownFailures) {
    this.#pool = pool;
    this.#options = options;
    this.#failures = failures;
  }

  get totals(): PublishTotals {
    return { things: this.#things, rows: this.#rows, failed: this.#failures.list };
  }

  /** Number of things that need no more work, including those that are not shown. */
  get settled(): number {
    return this.#settled;
  }

  /** Things that were postponed since the last call of `beginTurn`. */
  get postponed(): Postponed[] {
    return this.#postponed;
  }

  beginTurn(): void {
    this.#postponed = [];
  }

  /** Publishes until nothing is left or the time is over. No batch begins after that. */
  async drain(batches: BacklogBatches, maxMs: number): Promise<void> {
    const end = Date.now() + maxMs;
    const work = async (): Promise<void> => {
      while (Date.now() < end) {
        const keys = await batches.next();
        if (keys.length === 0) return;
        await this.#publish(batches.publisher, keys);
      }
    };
    // With two workers, one derives while the other writes its documents.
    await Promise.all(Array.from({ length: this.#options.isCalledAgain ? 1 : 2 }, work));
  }

  /** Publishes the waiting tournaments in one batch, because they may be waiting for each other's battles. */
  async publishTogether(): Promise<void> {
    const waiting = this.#postponed.filter(({ kind }) => kind === 'tournament');
    if (waiting.length === 0) return;
    this.#postponed = this.#postponed.filter((each) => !waiting.includes(each));
    const slugs = new Set(
      waiting.flatMap(({ key, waitsFor }) => (waitsFor.kind === 'tournament' ? [key, waitsFor.key] : [key])),
    );
    await this.#publish(tournamentPublisher, [...slugs].toSorted());
  }

  /** Removes the things that wait for something that cannot be published. Returns them, with its reason. */
  takeStuck(): Failure[] {
    const stuck: Failure[] = [];
    this.#postponed = this.#postponed.filter(({ kind, key, reason, waitsFor }) => {
      const cause = this.#failures.get(waitsFor.kind, waitsFor.key);
      if (cause === undefined) return true;
      stuck.push({ kind, key, reason: `${reason}, which cannot be published: ${cause.reason}` });
      return false;
    });
    return stuck;
  }

  async #publish(publisher: KindPublisher, keys: string[]): Promise<void> {
    const { kind, publish } = publisher;
    const wanted = keys.filter((key) => !this.#failures.has(kind, key));
    let result: PublishResult;
    try {
      result = await retryConflicts((isRetry) => publish(this.#pool, wanted, isRetry));
    } catch (error) {
      if (!isOfOneThing(error)) throw error;
      // One failure must not affect the other things in the batch, so publish each of them alone.
      if (wanted.length > 1) {
        for (const key of wanted) await this.#publish(publisher, [key]);
        return;
      }
      const failed = wanted.map((key) => ({ kind, key, reason: (error as Error).message }));
      await giveReasons(this.#pool, failed);
      result = { ...nothingPublished(), failed };
    }
    if (result.rows > 0) await numberChanges(this.#pool);
    this.#things += result.things;
    this.#settled += result.things + result.hidden;
    this.#rows += result.rows;
    this.#failures.add(result.failed);
    this.#postponed.push(...result.postponed);
    this.#options.onProgress?.(this.totals);
  }
}

/**
 * Returns true if the error is about a value of one thing: too large, in conflict, or something that our code
 * does not expect. Any other error means that the database is away or that this login may not publish.
 */
function isOfOneThing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return /^(21|22|23|54)...$/.test(code);
  return error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError;
}

/** How often to publish all waiting tournaments in one batch. Each time, all of them are derived again. */
const togetherMs = 1_000;
/** The longest time that something may wait until something else is published. */
const patienceMs = 20_000;

/** Tracks how long things have been waiting until others are published. */
export class Waiting {
  #since = new Map<string, number>();
  #togetherAt = 0;

  /** Returns whether it is time to publish the waiting things in one batch. */
  isDue(postponed: Postponed[]): boolean {
    if (postponed.length === 0 || Date.now() < this.#togetherAt) return false;
    this.#togetherAt = Date.now() + togetherMs;
    return true;
  }

  /** Returns the things that have waited too long. */
  giveUp(postponed: Postponed[]): Postponed[] {
    const now = Date.now();
    const byName = new Map(postponed.map((each) => [`${each.kind} ${each.key}`, each]));
    this.#since = new Map([...byName.keys()].map((name) => [name, this.#since.get(name) ?? now]));
    return [...byName]
      .filter(([name]) => now - (this.#since.get(name) ?? now) > patienceMs)
      .map(([, each]) => each);
  }
}
