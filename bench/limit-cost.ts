import { machineLine, machineOf } from '../scripts/machine.ts';
import { startRedis, withoutRedis } from '../test/support/redis.ts';
import { endpointNamed, keysOf } from './endpoints.ts';
import { startCaller } from './load.ts';
import type { Measurement } from './measurement.ts';
import { type ServeProcess, startServe } from './serve-process.ts';
import { spreadOf } from './spread.ts';
import { withWorld } from './world.ts';

const high = String(9_000_000);

/** What the limiter costs answers from memory: answers a second without a limit, with one in memory, and with one in Redis. */
export const limitCost: Measurement = (options) =>
  withWorld(options, async ({ url, pool, key }) => {
    if (withoutRedis !== false) throw new Error(withoutRedis);
    const machine = machineLine(await machineOf(pool));
    const redis = await startRedis();
    const caller = startCaller();
    const club = endpointNamed('club');
    const [slug = ''] = await keysOf(pool, club, 1);
    const request = { path: club.path(slug), headers: { authorization: `Bearer ${key}` } };
    const kinds = {
      off: {},
      memory: { RATE_LIMIT: high },
      Redis: { RATE_LIMIT: high, REDIS_URL: redis.url },
    };
    const rates: Record<string, number[]> = { off: [], memory: [], Redis: [] };
    const servers: [string, ServeProcess][] = [];
    try {
      for (const [kind, settings] of Object.entries(kinds))
        servers.push([kind, await startServe(url, settings)]);
      // In turns, so that a noisy moment of the machine hits them all. The first turn only warms up.
      for (let turn = 0; turn <= (options.quick ? 1 : 9); turn += 1) {
        for (const [kind, { origin }] of turn % 2 === 0 ? servers : servers.toReversed()) {
          const rate = await caller.rate(origin, [request], 200, options.quick ? 1 : 2);
          if (turn > 0) rates[kind]?.push(rate);
        }
      }
    } finally {
      for (const [, server] of servers) await server.close();
      await caller.close();
      await redis.kill();
    }
    const speeds = Object.fromEntries(
      Object.entries(rates).map(([kind, each]) => [kind, Math.round(spreadOf(each).median)]),
    );
    const words = Object.entries(speeds).map(([kind, speed]) => `${kind} ${speed}`);
    return {
      lines: [machine, `answers a second, the same club: ${words.join(', ')}`],
      figures: { machine, speeds },
      failures: [],
    };
  });
