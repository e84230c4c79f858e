import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { Batch, Movement, PublishSettings } from './movement.ts';
import { battlePackMovement, playerMovement } from './spread-marks.ts';
import { casualBattleMovement } from './publish-casual-battles.ts';
import { clubMovement } from './publish-clubs.ts';
import { markedKeys, markedKinds } from './marks.ts';
import { tournamentMovement } from './publish-tournaments.ts';

export interface PublishOptions extends PublishSettings {
  /** Batches under way at once. Two by default: while one's documents are written, the other's are derived. */
  workers?: number;
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
 * Drains all marks, whoever left them. Several publishers may do so side by side: what another one works on is passed
 * over, and looked at again when nothing else is left.
 */
export async function publishStale(pool: Pool, options: PublishOptions): Promise<Batch> {
  const published: Batch = { things: 0, rows: 0, failed: [] };
  let progressAt = Date.now();
  for (;;) {
    const kinds = await markedKinds(pool, published.failed);
    if (kinds.size === 0) return published;
    const before = published.things;
    published.postponed = [];
    for (const movement of movements) {
      if (kinds.has(movement.kind)) await drain(pool, options, movement, published);
    }
    if (published.things > before) {
      progressAt = Date.now();
      continue;
    }
    // What waits for something that cannot be published would wait for ever.
    if (Date.now() - progressAt > patienceMs) published.failed.push(...published.postponed);
    // Somebody else is at what is left: a moment, then look again.
    await sleep(50);
  }
}

/** Publishes as it goes while others record, and ends by draining everything they left. */
export async function publishAlongside(
  pool: Pool,
  options: PublishOptions,
  recording: Promise<unknown>,
): Promise<Batch> {
  const published: Batch = { things: 0, rows: 0, failed: [] };
  let isRecording = true;
  const ended = recording.then(
    () => (isRecording = false),
    () => (isRecording = false),
  );
  for (;;) {
    const isLast = !isRecording;
    try {
      // While the recording is at work beside it, one batch at a time: both share this process's memory.
      const { things, rows, failed } = await publishStale(
        pool,
        isLast ? options : { ...options, workers: 1 },
      );
      published.things += things;
      published.rows += rows;
      published.failed = failed;
    } catch (error) {
      // An event is being followed: a failover must not end the publishing while the recording goes on.
      if (isLast) throw error;
      options.onTrouble?.(error);
      await Promise.race([ended, sleep(1_000)]);
    }
    if (isLast) return published;
    await Promise.race([ended, sleep(100)]);
  }
}

async function drain(
  pool: Pool,
  options: PublishOptions,
  { kind, most, lighten, publish }: Movement,
  published: Batch,
): Promise<void> {
  let after = '';
  let turn: Promise<string[]> = Promise.resolve([]);

  /** The next batch behind the last one, whoever asks. */
  function nextKeys(): Promise<string[]> {
    turn = turn.then(async () => {
      const marked = await markedKeys(pool, kind, after, most);
      const keys = lighten === undefined ? marked : await lighten(pool, marked, options);
      after = keys.at(-1) ?? after;
      return keys;
    });
    return turn;
  }

  async function work(): Promise<void> {
    for (;;) {
      const keys = await nextKeys();
      if (keys.length === 0) return;
      const failedBefore = new Set(
        published.failed.filter((each) => each.kind === kind).map(({ key }) => key),
      );
      const batch = await again(() =>
        publish(
          pool,
          options,
          keys.filter((key) => !failedBefore.has(key)),
        ),
      );
      published.things += batch.things;
      published.rows += batch.rows;
      published.failed.push(...batch.failed);
      published.postponed?.push(...(batch.postponed ?? []));
      options.onProgress?.(published);
    }
  }

  await Promise.all(Array.from({ length: options.workers ?? 2 }, work));
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
