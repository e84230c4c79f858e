import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { type Phase, type SteadyLoad, startLoad } from './steady-load.ts';
import { ask, freeze, type ThreeDatabases, withServer, withThreeDatabases } from './three-databases.ts';

// What a server does when one of its databases fails. Several of these faults can be made on the same databases.

type Size = 'small' | 'stated';
type Result = Awaited<ReturnType<Drill['run']>>;
type FaultDrill = Drill & { on: (databases: ThreeDatabases, size: Size) => Promise<Result> };

interface Run {
  load: SteadyLoad;
  /** When the load began, the fault was made, and the load ended, by performance.now(). */
  from: number;
  faultAt: number;
  to: number;
}

const requests = { small: 0, stated: 20_000 };
const calmMs = { small: 1_000, stated: 5_000 };
const faultMs = { small: 2_500, stated: 12_000 };
/** A busy machine runs the small size beside other tests. */
const leastShare = { small: 0.2, stated: 0.7 };

const standbyFrozen = drill({
  name: 'standby-frozen',
  expected: '0 failed; after the first second throughput ≥ 0.7 and p99 ≤ 2 × of before',
  on: async (databases, size) => {
    const run = await underLoad(databases, size, () => freeze(databases.standbys[0] ?? databases.primary));
    const { met, figures, before, after } = judge(run, size);
    return { met: met && (size === 'small' || after.p99 <= 2 * before.p99), figures };
  },
});

const primaryFrozen = drill({
  name: 'primary-frozen',
  expected: '0 failed; after the first second throughput ≥ 0.7 of before',
  on: async (databases, size) =>
    judge(await underLoad(databases, size, () => freeze(databases.primary)), size),
});

const bothFrozen = drill({
  name: 'standby-then-primary-frozen',
  expected: '0 failed; after the first second throughput ≥ 0.7 of before, with the one that is left',
  on: async (databases, size) =>
    judge(
      await underLoad(databases, size, async () => {
        const heals = [await freeze(databases.standbys[0] ?? databases.primary)];
        await sleep(faultMs[size] / 2);
        heals.push(await freeze(databases.primary));
        return () => heals.forEach((heal) => heal());
      }),
      size,
    ),
});

/** Last: the primary stays dead. */
const primaryKilled = drill({
  name: 'primary-killed',
  expected: '0 failed; no gap over 1.1 s',
  on: async (databases, size) => {
    const run = await underLoad(databases, size, async () => {
      process.kill(databases.primary.pid(), 'SIGKILL');
      return () => {};
    });
    const { met, figures } = judge(run, size);
    const gap = run.load.longestGap(run.faultAt, run.to);
    return { met: met && gap <= 1_100, figures: `${figures}; longest gap ${gap.toFixed(0)} ms` };
  },
});

const connectionsTerminated = drill({
  name: 'connections-terminated',
  expected: '0 failed while all connections are terminated six times',
  on: async ({ primary, keys }, size) => {
    const run = await underLoad({ primary, standbys: [], keys }, size, async () => {
      for (let i = 0; i < 6; i += 1) {
        await ask(
          primary.url,
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'wartable%'",
        );
        await sleep(200);
      }
      return () => {};
    });
    return judgeFailures(run);
  },
});

const roleLimit = drill({
  name: 'role-limit',
  expected: '0 failed with 3 connections for all of the server',
  on: async ({ primary, keys }, size) => {
    await ask(primary.url, 'alter role serving connection limit 3');
    try {
      return judgeFailures(await underLoad({ primary, standbys: [], keys }, size, async () => () => {}));
    } finally {
      await ask(primary.url, 'alter role serving connection limit -1');
    }
  },
});

/** In an order in which one after the other can be made on the same databases. */
export const databaseDrills = [
  standbyFrozen,
  connectionsTerminated,
  roleLimit,
  primaryFrozen,
  bothFrozen,
  primaryKilled,
];

function drill({ name, expected, on }: Omit<FaultDrill, 'run'>): FaultDrill {
  return { name, expected, on, run: ({ size }) => withThreeDatabases((databases) => on(databases, size)) };
}

/** Half of the keys are first used after the fault. */
async function underLoad(
  databases: ThreeDatabases,
  size: Size,
  fault: () => Promise<() => void>,
): Promise<Run> {
  return withServer(databases, async (apiUrl) => {
    const { keys } = databases;
    const half = keys.slice(0, keys.length / 2);
    // Replicas are read when they have caught up, and the code is warm.
    const warming = startLoad(apiUrl, half, callers);
    await sleep(700);
    await warming.stop();
    const load = startLoad(apiUrl, half, callers);
    const from = performance.now();
    let heal = () => {};
    try {
      await sleep(calmMs[size]);
      load.useKeys(keys);
      const faultAt = performance.now();
      heal = await fault();
      await sleep(faultMs[size]);
      for (const giveUpAt = performance.now() + 120_000; load.count() < requests[size]; await sleep(50)) {
        if (performance.now() > giveUpAt) break;
      }
      const to = performance.now();
      await load.stop();
      return { load, from, faultAt, to };
    } finally {
      heal();
      await load.stop();
    }
  });
}

const callers = 16;

function judge({ load, from, faultAt, to }: Run, size: Size): Result & { before: Phase; after: Phase } {
  const before = load.phase(from, faultAt);
  const after = load.phase(faultAt + 1_000, to);
  const { failed, figures } = judgeFailures({ load, from, faultAt, to });
  const share = after.perSecond / before.perSecond;
  return {
    before,
    after,
    met: failed === 0 && share >= leastShare[size],
    figures:
      `${figures}; ${before.perSecond.toFixed(0)} a second before, ` +
      `${after.perSecond.toFixed(0)} after the first second (${share.toFixed(2)}); ` +
      `p99 ${before.p99.toFixed(0)} and ${after.p99.toFixed(0)} ms`,
  };
}

function judgeFailures({ load, from }: Run): Result & { failed: number } {
  const { requests: count, failed } = load.phase(from, Infinity);
  return { met: failed === 0, failed, figures: `${failed} failed of ${count} (${load.statuses()})` };
}
