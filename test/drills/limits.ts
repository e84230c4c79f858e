import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '../../bench/load.ts';
import { type ServeProcess, startServe } from '../../bench/serve-process.ts';
import { spreadOf } from '../../bench/spread.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount, setAccount } from '../../src/keys/store.ts';
import { withDatabase } from '../proofs/proof.ts';
import { publishWorld } from '../support/published-world.ts';
import { startRedis, type TestRedis, withoutRedis } from '../support/redis.ts';
import type { Drill, DrillOptions } from './drill.ts';

// Limits of three instances that count in one Redis.

const limitOf = { small: 60, stated: 600 };
const windowMs = 60_000;
const path = '/api/v1/clubs/club-0';

const evenly: Drill = {
  name: 'limit-evenly',
  expected:
    'three instances with Redis, demand 3 × spread evenly: at most 105 % of the limit pass per window',
  run: (options) => demandThrice(options, (i) => i % 3),
};

const unevenly: Drill = {
  name: 'limit-unevenly',
  expected:
    'three instances with Redis, demand 3 × spread 90/5/5: at most 105 % of the limit pass per window',
  run: (options) => demandThrice(options, (i) => ({ 0: 1, 1: 2 })[i % 20] ?? 0),
};

const redisFaults: Drill = {
  name: 'redis-killed-frozen-restarted',
  expected:
    'Redis killed, started, frozen and woken: no request fails, checks take at most 100 ms, each instance limits by itself meanwhile',
  run: (options) =>
    withInstances(options, async ({ instances, redis, newKey }) => {
      const steady = await steadyCaller(instances, await newKey(9_000_000));
      const rest = () => sleep(options.size === 'small' ? 1_500 : 10_000);
      const each = 30;
      // A new key each time. Every instance gets more than the whole limit.
      const passed = async () => {
        const key = await newKey(each);
        const statuses = await Promise.all(instances.map((instance) => burst(instance, key, each + 15)));
        return statuses.flat().filter((status) => status === 200).length;
      };
      await rest();
      const before = steady.slowest();
      const counts: Record<string, number> = { shared: await passed() };
      await redis.kill();
      counts['killed'] = await passed();
      await rest();
      await redis.start();
      await untilShared(passed, each);
      redis.freeze();
      counts['frozen'] = await passed();
      await rest();
      const during = steady.slowest();
      redis.thaw();
      counts['again'] = await untilShared(passed, each);
      const { asked, failed } = await steady.end();
      return {
        met:
          failed === 0 &&
          during - before <= 100 &&
          counts['shared'] === each &&
          counts['again'] === each &&
          counts['killed'] === 3 * each &&
          counts['frozen'] === 3 * each,
        figures: `${failed} of ${asked} failed; slowest answer ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms with faults; of a limit of ${each} passed ${told(counts)}`,
      };
    }),
};

const cost: Drill = {
  name: 'limit-cost',
  expected: 'what the limiter costs answers from memory: reported, no bar',
  run: (options) =>
    withInstances(options, async ({ url, redis, newKey }) => {
      const high = String(9_000_000);
      const kinds = {
        off: {},
        memory: { RATE_LIMIT: high },
        Redis: { RATE_LIMIT: high, REDIS_URL: redis.url },
      };
      const request = { path, headers: { authorization: `Bearer ${await newKey(9_000_000)}` } };
      const load = await startLoad(options.size === 'small');
      const [turns, seconds] = options.size === 'small' ? [1, 1] : [9, 2];
      const rates = new Map<string, number[]>();
      const servers: [string, ServeProcess][] = [];
      try {
        for (const [kind, settings] of Object.entries(kinds))
          servers.push([kind, await startServe(url, settings)]);
        // In turns, so that a noisy moment of the machine hits them all. The first turn only warms up.
        for (let turn = 0; turn <= turns; turn += 1) {
          for (const [kind, { origin }] of turn % 2 === 0 ? servers : servers.toReversed()) {
            const rate = await load.run(origin, [request], 200, seconds);
            if (turn > 0) rates.set(kind, [...(rates.get(kind) ?? []), rate]);
          }
        }
      } finally {
        for (const [, server] of servers) await server.close();
        await load.close();
      }
      const shares = Object.keys(kinds).map((kind) => {
        const each = rates.get(kind) ?? [];
        const percents = each.map((rate, turn) => (100 * rate) / (rates.get('off')?.[turn] ?? NaN));
        const { median, least, most } = spreadOf(percents);
        const rate = `${kind} ${Math.round(spreadOf(each).median)}`;
        return kind === 'off'
          ? rate
          : `${rate}, ${median.toFixed(0)} % of off (${least.toFixed(0)}–${most.toFixed(0)})`;
      });
      return {
        met: true,
        figures: `answers a second, the same club, median of ${turns} turns: ${shares.join('; ')} (${load.name})`,
      };
    }),
};

export const rateLimits: Drill[] = [evenly, unevenly, redisFaults, cost];

/** Three times the limit, a quarter of it with the tag of the answer. Then sums up the prices of what passed. */
async function demandThrice(options: DrillOptions, instanceOf: (i: number) => number) {
  return withInstances(options, async ({ instances, newKey }) => {
    const key = await newKey();
    const windows = options.size === 'small' ? 1 : 3;
    const limit = limitOf[options.size];
    // 30 a second. The small drill sends the demand of a window in its first seconds.
    const every = 1_000 / 30;
    const { etag } = await ask(instances[0], await newKey());
    const passed: { at: number; price: number }[] = [];
    let others = 0;
    const under: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let i = 0; i < 3 * limit * windows; i += 1) {
      const early = startedAt + i * every - performance.now();
      if (early > 1) await sleep(early);
      const sentAt = performance.now();
      const count = async () => {
        const { status } = await ask(instances[instanceOf(i)], key, i % 4 === 0 ? etag : '');
        if (status === 200) passed.push({ at: sentAt, price: 1 });
        else if (status === 304) passed.push({ at: sentAt, price: 0.1 });
        else if (status !== 429) others += 1;
      };
      under.push(count());
    }
    await Promise.all(under);
    const shares = pricesByWindow(passed).map((price) => price / limit);
    const most = Math.max(...shares);
    return {
      met: most <= 1.05 && Math.min(...shares.slice(0, windows)) >= 0.9 && others === 0,
      figures: `${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(', ')} of ${limit} requests a minute passed, ${others} answers that are neither 200, 304 nor 429`,
    };
  });
}

/** A window begins with the first request after the one before. */
function pricesByWindow(passed: { at: number; price: number }[]): number[] {
  const prices: number[] = [];
  let endsAt = -Infinity;
  for (const { at, price } of passed.toSorted((a, b) => a.at - b.at)) {
    if (at >= endsAt) {
      endsAt = at + windowMs;
      prices.push(0);
    }
    prices.push((prices.pop() ?? 0) + price);
  }
  return prices;
}

/** One request every 10 ms, to each instance in turn. */
async function steadyCaller(instances: ServeProcess[], key: string) {
  const over = new AbortController();
  let [asked, failed, slowest] = [0, 0, 0];
  // The first look-up of a key is not what we measure.
  for (const instance of instances) await ask(instance, key);
  const caller = (async () => {
    while (!over.signal.aborted) {
      const { status, ms } = await ask(instances[asked % instances.length], key).catch(() => ({
        status: 0,
        ms: 0,
      }));
      asked += 1;
      if (status !== 200) failed += 1;
      slowest = Math.max(slowest, ms);
      await sleep(10);
    }
  })();
  return {
    slowest: () => slowest,
    async end() {
      over.abort();
      await caller;
      return { asked, failed };
    },
  };
}

async function burst(instance: ServeProcess, key: string, requests: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < requests; i += 1) statuses.push((await ask(instance, key)).status);
  return statuses;
}

/** Instances connect again within a second or so. */
async function untilShared(passed: () => Promise<number>, expected: number): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    await sleep(1_000);
    const count = await passed();
    if (count === expected || attempt === 10) return count;
  }
}

interface Instances {
  url: string;
  instances: ServeProcess[];
  redis: TestRedis;
  /** With a limit of its own, or that of all keys. */
  newKey: (limit?: number) => Promise<string>;
}

async function withInstances<T>(
  { serverUrl, size }: DrillOptions,
  work: (parts: Instances) => Promise<T>,
): Promise<T> {
  if (withoutRedis !== false) throw new Error(withoutRedis);
  return withDatabase(serverUrl, async (url) => {
    const pool = createPool(url, { applicationName: 'drill', size: 2 });
    const redis = await startRedis();
    const instances: ServeProcess[] = [];
    try {
      await publishWorld(pool);
      const settings = { RATE_LIMIT: String(limitOf[size]), REDIS_URL: redis.url };
      for (let i = 0; i < 3; i += 1) instances.push(await startServe(url, settings));
      let keys = 0;
      const newKey = async (own?: number) => {
        const account = `caller ${(keys += 1)}`;
        const { key } = await createKeyForAccount(pool, account);
        if (own !== undefined) await setAccount(pool, account, { limit: own });
        return key;
      };
      return await work({ url, instances, redis, newKey });
    } finally {
      for (const instance of instances) await instance.close();
      await redis.kill();
      await pool.end();
    }
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

function ask(instance: ServeProcess | undefined, key: string, etag = '') {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, ...(etag !== '' && { 'if-none-match': etag }) };
  return new Promise<{ status: number; ms: number; etag: string }>((resolve, reject) => {
    get(`${instance?.origin}${path}`, { headers, agent }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          ms: performance.now() - startedAt,
          etag: answer.headers.etag ?? '',
        }),
      );
    }).on('error', reject);
  });
}

function told(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
