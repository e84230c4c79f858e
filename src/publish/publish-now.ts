import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { MarkedKind } from '../record/backlog/marks.ts';
import type { Failure } from '../record/backlog/drain.ts';
import { computeMonths } from './compute-months.ts';
import { numberChanges } from './number-changes.ts';
import type { KindPublisher } from './kind-publisher.ts';
import { casualBattlePublisher } from './publish-casual-battles.ts';
import { clubPublisher } from './publish-clubs.ts';
import { battlePackPublisher, playerPublisher } from './publish-players-and-packs.ts';
import { tournamentPublisher } from './publish-tournaments.ts';
import { isMarked } from '../record/backlog/drain.ts';
import { retryConflicts } from './transactions.ts';

/** The publishers in the order of `publishStale`. */
const publishers: KindPublisher[] = [
  playerPublisher,
  battlePackPublisher,
  clubPublisher,
  casualBattlePublisher,
  tournamentPublisher,
];

/** Publishes these marked things before everything else that is marked. Returns what failed, and why. */
export async function publishNow(
  pool: Pool,
  things: { kind: MarkedKind; key: string }[],
): Promise<Failure[]> {
  const failed: Failure[] = [];
  for (const publisher of publishers) {
    const keys = new Set(things.flatMap(({ kind, key }) => (kind === publisher.kind ? key : [])));
    for (const key of keys) {
      failed.push(...(await publishOne(pool, publisher, key)));
      // Callers who follow changes see each one at once, even if the next one fails.
      await numberChanges(pool);
    }
  }
  await computeMonths(pool);
  return failed;
}

async function publishOne(pool: Pool, { kind, publish }: KindPublisher, key: string): Promise<Failure[]> {
  const together = new Set([key]);
  for (;;) {
    const result = await retryConflicts((isRetry) => publish(pool, [...together].toSorted(), isRetry));
    const failed = result.failed.filter((failure) => failure.key === key);
    if (failed.length > 0) return failed;
    const postponed = result.postponed.find((each) => each.key === key);
    if (postponed === undefined) {
      if (!(await isMarked(pool, kind, key))) return [];
      // Another publisher is working on it.
      await sleep(50);
    } else if (postponed.waitsFor.kind !== kind || together.has(postponed.waitsFor.key)) {
      return [postponed];
    } else {
      together.add(postponed.waitsFor.key);
    }
  }
}
