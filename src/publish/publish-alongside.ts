import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import { isTemporary } from '../availability/unavailable.ts';
import type { PublishTotals } from './kind-publisher.ts';
import { KnownFailures } from './known-failures.ts';
import { type PublishOptions, publishBacklog } from './publisher.ts';
import { Debounce } from './debounce.ts';

/** How often to look for marks when nothing wakes the publisher, because other processes record, too. */
const lookMs = 100;
const troubleMs = 1_000;

export interface AlongsideOptions extends PublishOptions {
  /** Called when publishing has failed while recording goes on. It is tried again. */
  onTrouble?: (error: unknown) => void;
  /** The longest time that the database may be away after the recording has ended. */
  outageMs?: number;
  /** Lets the caller see what could not be published so far. */
  failures?: KnownFailures;
  /** Tests raise it. */
  lookMs?: number;
}

/** Publishes while the recording goes on. Ends when the recording has ended and everything is published. */
export async function publishAlongside(
  pool: Pool,
  options: AlongsideOptions,
  recording: Promise<unknown>,
): Promise<PublishTotals> {
  const { failures = new KnownFailures(), debounce = new Debounce(), outageMs = 0 } = options;
  let [things, rows] = [0, 0];
  let isRecording = true;
  let troubleSince: number | undefined;
  const end = (): void => {
    isRecording = false;
    debounce.end();
  };
  const ended = recording.then(end, end);
  for (;;) {
    const isLast = !isRecording;
    if (isLast) failures.retry();
    try {
      const published = await publishBacklog(
        pool,
        { ...options, debounce, isCalledAgain: !isLast },
        failures,
      );
      things += published.things;
      rows += published.rows;
      if (isLast) return { things, rows, failed: failures.list };
      troubleSince = undefined;
      await debounce.untilWoken(options.lookMs ?? lookMs);
    } catch (error) {
      const since = troubleSince ?? performance.now();
      // A failover of the database must not end the publishing while the recording goes on.
      const mayPass = isTemporary(error) && performance.now() - since < outageMs;
      if (isLast && !mayPass) throw error;
      // Reported once per outage.
      if (troubleSince === undefined) options.onTrouble?.(error);
      troubleSince = since;
      await (isLast ? sleep(troubleMs) : Promise.race([ended, sleep(troubleMs)]));
    }
  }
}
