import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import type { KindPublisher, PublishTotals } from './kind-publisher.ts';
import { KnownFailures } from './known-failures.ts';
import { casualBattlePublisher } from './publish-casual-battles.ts';
import { clubPublisher } from './publish-clubs.ts';
import { battlePackPublisher, playerPublisher } from './publish-players-and-packs.ts';
import { PublishRun, type RunOptions, Waiting } from './publish-run.ts';
import { tournamentPublisher } from './publish-tournaments.ts';
import { computeMonths } from './compute-months.ts';
import { Debounce } from './debounce.ts';
import { numberChanges } from './number-changes.ts';
import { BacklogBatches } from './backlog-batches.ts';
import { giveReasons, readMarkedSorts, type Urgency } from '../record/backlog/drain.ts';
import { retryConflicts } from './transactions.ts';

export interface PublishOptions extends RunOptions {
  /** The pauses of this publisher. Recording in the same process wakes it. */
  debounce?: Debounce;
}

/**
 * The kinds of changes, in the order in which they are published. Players and packs come first, because they
 * only mark other things. Clubs come before the tournaments and battles that move their revisions. Results
 * come before larger changes.
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

/** Time for draining one kind of marks before the others have their turn. */
const sliceMs = 1_000;
/** Time for the rebuilds and the months before the next results, while results keep coming. */
const busySliceMs = 300;
/** How long to wait if other publishers hold everything that is marked. */
const heldMs = 100;

/**
 * Publishes until only failures are marked. Each turn takes a slice of every kind of change, then a slice of
 * the rebuilds. Several publishers may run side by side: each skips what another one is working on, and looks
 * at it again later. A failure is tried again after a while, as long as there is other work.
 */
export async function publishBacklog(
  pool: Pool,
  options: PublishOptions = {},
  failures: KnownFailures = new KnownFailures(),
): Promise<PublishTotals> {
  // A publisher may have died after its commit and left changes without sequence numbers.
  await numberChanges(pool);
  failures.retryIfDue();
  const run = new PublishRun(pool, options, failures);
  const batches = ([publisher, urgency]: [KindPublisher, Urgency]) =>
    new BacklogBatches(pool, options, publisher, urgency);
  const [fresh, backlog] = [changes.map(batches), rebuilds.map(batches)];
  const waiting = new Waiting();
  const debounce = options.debounce ?? new Debounce();
  for (;;) {
    const marked = await readMarkedSorts(pool, failures.list);
    if (marked.count === 0) {
      // A live import calls again soon, so its results must not wait for a long history.
      const { isCalledAgain: dueOnly } = options;
      await computeMonths(pool, { dueOnly, maxMs: dueOnly ? busySliceMs : Infinity });
      return run.totals;
    }
    // This many marks are not a wave of results, so publish them without a pause. After a pause there may be
    // other marks.
    if (!marked.areMany && (await debounce.untilQuiet())) continue;
    const began = Date.now();
    failures.retryIfDue();
    const before = run.settled;
    run.beginTurn();
    for (const each of fresh) if (marked.mayHave(each)) await run.drain(each, sliceMs);
    if (waiting.isDue(run.postponed)) await run.publishTogether();
    const isBusy = run.settled > before;
    if (isBusy) debounce.begin(Date.now() - began);
    const end = Date.now() + (isBusy ? busySliceMs : sliceMs);
    for (const each of backlog) if (marked.mayHave(each)) await run.drain(each, end - Date.now());
    await computeMonths(pool, { dueOnly: true, maxMs: busySliceMs });
    const stuck = run.takeStuck();
    const givenUp = [...stuck, ...waiting.giveUp(run.postponed)];
    if (givenUp.length > 0) {
      await retryConflicts(() => giveReasons(pool, givenUp));
      failures.add(givenUp);
    }
    // Another publisher works on the rest, or the rest waits for something.
    if (run.settled === before) await sleep(heldMs);
  }
}
