import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { onClient, type Proof } from './proof.ts';
import { type SteadyLoad, startLoad } from './steady-load.ts';
import { freeze, type ThreeDatabases, withServer, withThreeDatabases } from './three-databases.ts';

interface Fault {
  /** Causes the fault. Returns a function that ends it. */
  make: (databases: ThreeDatabases) => Promise<() => unknown>;
  /** Set if the server has no standby that could answer instead. */
  isAlone?: true;
}

const faultMs = 12_000;
const callers = 16;
/** The minimum number of requests for each fault. */
const leastRequests = { small: 1_000, stated: 20_000 };

/** The order allows one fault after the other on the same databases. The primary stays down at the end. */
const faults: Record<string, Fault> = {
  'a standby frozen': { make: ({ standbys: [standby], primary }) => freeze(standby ?? primary) },
  'all connections terminated six times': {
    isAlone: true,
    make: async (databases) => {
      for (let i = 0; i < 6; i += 1) {
        await terminate(databases);
        await sleep(200);
      }
      return () => {};
    },
  },
  '3 connections for all of the server': {
    isAlone: true,
    make: async (databases) => {
      const limit = (most: number) => onPrimary(databases, `alter role serving connection limit ${most}`);
      await limit(3);
      await terminate(databases);
      return () => limit(-1);
    },
  },
  'the primary frozen': { make: ({ primary }) => freeze(primary) },
  'a standby frozen, then the primary': {
    make: async ({ standbys: [standby], primary }) => {
      const heals = [await freeze(standby ?? primary)];
      await sleep(faultMs / 2);
      heals.push(await freeze(primary));
      return () => heals.forEach((heal) => heal());
    },
  },
  'the primary killed': {
    make: async ({ primary }) => {
      process.kill(primary.pid(), 'SIGKILL');
      return () => {};
    },
  },
};

const onPrimary = ({ primary }: ThreeDatabases, query: string) =>
  onClient(primary.url, (client) => client.query(query));

const terminate = (databases: ThreeDatabases) =>
  onPrimary(
    databases,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'wartable%'",
  );

/**
 * Proves that other databases take over. Callers use a server with an empty cache while one of its databases
 * fails, one fault after the other, and no request fails. At the stated size, where nothing else runs, the
 * others also take over in time: after the first second there are at least 0.7 of the answers of before, and
 * no gap is longer than 1.1 s.
 */
export const databases: Proof = ({ size }) =>
  withThreeDatabases(async (all) => {
    const figures: string[] = [];
    let requests = 0;
    for (const [what, fault] of Object.entries(faults)) {
      const some = fault.isAlone ? { ...all, standbys: [] } : all;
      const { load, from, faultAt, to } = await underLoad(some, fault.make, leastRequests[size]);
      const [before, after] = [load.phase(from, faultAt), load.phase(faultAt + 1_000, to)];
      const { requests: count, failed } = load.phase(from, Infinity);
      const share = after.perSecond / before.perSecond;
      const gap = load.longestGap(faultAt, to);
      const figure = `${what}: ${failed} failed of ${count} (${load.statuses()}); ${share.toFixed(2)} of the answers of before; p99 ${before.p99.toFixed(0)} and ${after.p99.toFixed(0)} ms; longest gap ${gap.toFixed(0)} ms.`;
      assert.ok(failed === 0 && after.requests > 0, figure);
      if (size === 'stated') assert.ok(gap <= 1_100 && share >= 0.7, figure);
      requests += count;
      figures.push(figure);
    }
    return [`0 of ${requests} requests failed in ${figures.length} faults.`, ...figures];
  });

/** Causes the fault under load. Half of the keys are first used after the fault. */
async function underLoad(
  all: ThreeDatabases,
  fault: Fault['make'],
  least: number,
): Promise<{ load: SteadyLoad; from: number; faultAt: number; to: number }> {
  return withServer(all, async (apiUrl) => {
    const half = all.keys.slice(0, all.keys.length / 2);
    // By then replicas have caught up and are read, and the code is warm.
    const warming = startLoad(apiUrl, half, callers);
    await sleep(700);
    await warming.stop();
    const load = startLoad(apiUrl, half, callers);
    const from = performance.now();
    let heal: () => unknown = () => {};
    try {
      await sleep(5_000);
      load.useKeys(all.keys);
      const faultAt = performance.now();
      heal = await fault(all);
      await sleep(faultMs);
      for (const giveUpAt = performance.now() + 120_000; load.count() < least; await sleep(50))
        if (performance.now() > giveUpAt) break;
      const to = performance.now();
      await load.stop();
      return { load, from, faultAt, to };
    } finally {
      await heal();
      await load.stop();
    }
  });
}
