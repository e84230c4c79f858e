import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { Failure } from './kind-publisher.ts';
import { tournamentPublisher } from './publish-tournaments.ts';
import { isMarked } from './stale-queue.ts';
import { retryConflicts } from './transactions.ts';

/** Publishes one tournament before everything else that is marked. Returns why it failed, or nothing. */
export async function publishTournament(pool: Pool, slug: string): Promise<Failure[]> {
  const together = new Set([slug]);
  for (;;) {
    const result = await retryConflicts(() => tournamentPublisher.publish(pool, [...together].toSorted()));
    const failed = result.failed.filter(({ key }) => key === slug);
    if (failed.length > 0) return failed;
    const postponed = result.postponed.find(({ key }) => key === slug);
    if (postponed === undefined) {
      if (!(await isMarked(pool, 'tournament', slug))) return [];
      // Another publisher works on it.
      await sleep(50);
    } else if (postponed.waitsFor === undefined || together.has(postponed.waitsFor)) {
      return [postponed];
    } else {
      together.add(postponed.waitsFor);
    }
  }
}
