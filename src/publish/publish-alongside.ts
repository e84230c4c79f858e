import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import { isTemporary } from '../database/unavailable.ts';
import type { PublishTotals } from './kind-publisher.ts';
import { KnownFailures } from './known-failures.ts';
import { type PublishOptions, publishStale, restMs } from './publisher.ts';

/** How long to wait when nothing was marked. */
const idleMs = 100;
const troubleMs = 1_000;

export interface AlongsideOptions extends PublishOptions {
  /** Publishing failed while recording goes on. It is tried again. */
  onTrouble?: (error: unknown) => void;
  /** How long the database may be away after the recording has ended. */
  outageMs?: number;
  /** The caller can see in it what could not be published so far. */
  failures?: KnownFailures;
}

/** Publishes while the recording goes on. Ends when the recording has ended and everything is published. */
export async function publishAlongside(
  pool: Pool,
  options: AlongsideOptions,
  recording: Promise<unknown>,
): Promise<PublishTotals> {
  const { failures = new KnownFailures(), outageMs = 0 } = options;
  let [things, rows] = [0, 0];
  let isRecording = true;
  let pauseMs = 0;
  let troubleSince: number | undefined;
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
      if (isLast) return { things, rows, failed: failures.list };
      pauseMs = published.things > 0 ? restMs : idleMs;
      troubleSince = undefined;
    } catch (error) {
      const since = troubleSince ?? Date.now();
      // A failover of the database must not end the publishing while the recording goes on.
      const mayPass = isTemporary(error) && Date.now() - since < outageMs;
      if (isLast && !mayPass) throw error;
      // Told once for each outage.
      if (troubleSince === undefined) options.onTrouble?.(error);
      troubleSince = since;
      pauseMs = troubleMs;
    }
    if (isLast) await sleep(pauseMs);
    else await Promise.race([ended, sleep(pauseMs)]);
  }
}
