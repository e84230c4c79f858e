import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { PublishTotals } from './kind-publisher.ts';
import { KnownFailures } from './known-failures.ts';
import { type PublishOptions, publishStale, restMs } from './publisher.ts';

/** How long to wait when nothing was marked. */
const idleMs = 100;
const troubleMs = 1_000;

export interface AlongsideOptions extends PublishOptions {
  /** Publishing failed while recording goes on. It is tried again. */
  onTrouble?: (error: unknown) => void;
}

/** Publishes while the recording goes on. Ends when the recording has ended and everything is published. */
export async function publishAlongside(
  pool: Pool,
  options: AlongsideOptions,
  recording: Promise<unknown>,
): Promise<PublishTotals> {
  const failures = new KnownFailures();
  let [things, rows] = [0, 0];
  let isRecording = true;
  let pauseMs = 0;
  const ended = recording.then(
    () => (isRecording = false),
    () => (isRecording = false),
  );
  for (;;) {
    const isLast = !isRecording;
    if (isLast) failures.retry();
    try {
      // One batch at a time beside the recording: both share this process's memory.
      const published = await publishStale(pool, isLast ? options : { ...options, workers: 1 }, failures);
      things += published.things;
      rows += published.rows;
      pauseMs = published.things > 0 ? restMs : idleMs;
    } catch (error) {
      // A failover of the database must not end the publishing while the recording goes on.
      if (isLast) throw error;
      options.onTrouble?.(error);
      pauseMs = troubleMs;
    }
    if (isLast) return { things, rows, failed: failures.list };
    await Promise.race([ended, sleep(pauseMs)]);
  }
}
