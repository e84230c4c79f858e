import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { KindPublisher, PublishTotals } from './kind-publisher.ts';
import { KnownFailures } from './known-failures.ts';
import { casualBattlePublisher } from './publish-casual-battles.ts';
import { clubPublisher } from './publish-clubs.ts';
import { battlePackPublisher, playerPublisher } from './publish-players-and-packs.ts';
import { PublishRun, type RunOptions } from './publish-run.ts';
import { tournamentPublisher } from './publish-tournaments.ts';
import { StaleBatches } from './stale-batches.ts';
import { giveReasons, isAnythingMarked, type Urgency } from './stale-queue.ts';
import { retryConflicts } from './transactions.ts';
import { Waiting } from './waiting.ts';

export interface PublishOptions extends RunOptions {
  /** How long something may wait until something else is published. Only tests lower it. */
  patienceMs?: number;
}

/**
 * What changed, in the order in which we publish it. Players and packs come first, because they only mark other things.
 * Clubs come before the tournaments and battles that move their revisions. Results come before larger changes.
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

const patienceMs = 20_000;
/** Results arrive in waves. This pause lets us publish the results of one wave together. */
export const restMs = 300;
/** How long we drain one kind of marks before the others have their turn. */
const sliceMs = 1_000;

/**
 * Publishes until nothing is marked but failures. Each turn takes a slice of every kind of change, then a slice of the
 * rebuilds. Several publishers may run side by side: each skips what another one works on, and looks at it again later.
 * A failure is tried again after a while, as long as there is other work.
 */
export async function publishStale(
  pool: Pool,
  options: PublishOptions = {},
  failures: KnownFailures = new KnownFailures(),
): Promise<PublishTotals> {
  failures.retryIfDue();
  const run = new PublishRun(pool, options, failures);
  const batches = ([publisher, urgency]: [KindPublisher, Urgency]) =>
    new StaleBatches(pool, options, publisher, urgency);
  const [fresh, backlog] = [changes.map(batches), rebuilds.map(batches)];
  const waiting = new Waiting(options.patienceMs ?? patienceMs);
  let restUntil = 0;
  while (await isAnythingMarked(pool, failures.list)) {
    await sleep(Math.max(0, restUntil - Date.now()));
    const began = Date.now();
    failures.retryIfDue();
    const before = run.totals.things;
    run.beginTurn();
    for (const each of fresh) await run.drain(each, sliceMs);
    if (waiting.isDue(run.postponed)) await run.publishTogether();
    const isBusy = run.totals.things > before;
    restUntil = isBusy ? began + restMs : 0;
    // While results keep coming, the backlog uses the pause before the next ones.
    const end = Date.now() + (isBusy ? restMs : sliceMs);
    for (const each of backlog) await run.drain(each, end - Date.now());
    const givenUp = waiting.giveUp(run.postponed);
    if (givenUp.length > 0) {
      await retryConflicts(() => giveReasons(pool, givenUp));
      failures.add(givenUp);
    }
    // Another publisher works on the rest, or the rest waits for something.
    if (run.totals.things === before) await sleep(100);
  }
  return run.totals;
}
