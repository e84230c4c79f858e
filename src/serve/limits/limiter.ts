import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** What is left of a quota. */
export interface Left {
  isRefused: boolean;
  points: number;
  /** Until the window ends, and the quota is whole again. */
  ms: number;
}

export interface Limiter {
  /** Takes points of the quota of this name. A refused request takes some, too: that changes nothing any more. */
  take: (name: string, quota: number, points: number) => Promise<Left>;
  /** The same at once. Undefined when Redis counts. */
  takeNow: ((name: string, quota: number, points: number) => Left) | undefined;
  /** Gives points back. Only before the window ends: in the next one they would be a present. */
  giveBack: (name: string, quota: number, points: number) => void;
  /** Until the refusal of this name ends. 0 when it is not refused, or when this instance does not know of it. */
  refusedForMs: (name: string, quota: number) => number;
}

export const windowSeconds = 60;

/** Counts in Redis, or in the memory of this process. */
export const createLimiter = (redis: Redis | undefined): Limiter =>
  redis === undefined ? countInMemory() : countInRedis(redis);

/** The library's counter in memory has a timer for each name, and a promise for each count. */
function countInMemory(): Limiter {
  const windows = new LRUCache<string, { taken: number; endsAt: number }>({ max: 100_000 });

  function takeNow(name: string, quota: number, points: number): Left {
    const now = performance.now();
    let window = windows.get(name);
    if (window === undefined || window.endsAt <= now) {
      window = { taken: 0, endsAt: now + windowSeconds * 1_000 };
      windows.set(name, window);
    }
    window.taken += points;
    return {
      isRefused: window.taken > quota,
      points: Math.max(0, quota - window.taken),
      ms: inWindow(window.endsAt - now),
    };
  }

  return {
    takeNow,
    take: async (...asked) => takeNow(...asked),
    giveBack(name, _quota, points) {
      const window = windows.get(name);
      if (window !== undefined) window.taken -= points;
    },
    refusedForMs(name, quota) {
      const window = windows.get(name);
      return window !== undefined && window.taken >= quota ? inWindow(window.endsAt - performance.now()) : 0;
    },
  };
}

/** While Redis does not answer, it counts in memory. */
function countInRedis(redis: Redis): Limiter {
  // The library wants one limiter for each quota. There are few: ours, and those that operators gave to accounts.
  const byQuota = new Map<number, LimiterOfQuota>();
  /**
   * Until when, on a clock that never steps. A name above its quota is refused from memory until the window ends: a flood does
   * not reach Redis.
   */
  const refused = new LRUCache<string, number>({ max: 10_000 });
  // An operator may raise the quota meanwhile.
  const refusalOf = (name: string, quota: number) => `${name} ${quota}`;
  const refusedForMs = (name: string, quota: number) =>
    Math.max(0, (refused.get(refusalOf(name, quota)) ?? 0) - performance.now());

  function limiterOf(quota: number): LimiterOfQuota {
    let limiter = byQuota.get(quota);
    if (limiter === undefined) {
      limiter = limiterWith(quota, redis);
      byQuota.set(quota, limiter);
    }
    return limiter;
  }

  return {
    takeNow: undefined,
    refusedForMs,
    async take(name, quota, points) {
      const refusedMs = refusedForMs(name, quota);
      if (refusedMs > 0) return { isRefused: true, points: 0, ms: refusedMs };
      const { counts, inMemory } = limiterOf(quota);
      try {
        const { consumedPoints, remainingPoints, msBeforeNext } = await counts.consume(name, points);
        // Where Redis ends, memory goes on. Else a Redis that answers late now and then would give the quota again. While it is
        // away, memory itself has answered, and knows the end of the window better after a step of the clock.
        const ms = inWindow(msBeforeNext);
        if (redis.status === 'ready' && ms > 0 && ms === msBeforeNext)
          void inMemory.set(name, consumedPoints, ms / 1_000);
        return { isRefused: false, points: remainingPoints, ms };
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        const ms = inWindow((refusal as { msBeforeNext: number }).msBeforeNext);
        refused.set(refusalOf(name, quota), performance.now() + ms);
        return { isRefused: true, points: 0, ms };
      }
    },
    giveBack(name, quota, points) {
      limiterOf(quota)
        .counts.reward(name, points)
        // Then the caller paid the full price.
        .catch(() => {});
    },
  };
}

/** The library reckons with the clock of the machine, which may step. Ours are sums of floats, which may round up. */
const inWindow = (ms: number): number => Math.min(Math.max(ms, 0), windowSeconds * 1_000);

interface LimiterOfQuota {
  counts: RateLimiterRedis;
  inMemory: RateLimiterMemory;
}

function limiterWith(quota: number, redis: Redis): LimiterOfQuota {
  const options = { keyPrefix: 'wartable:limit', points: quota, duration: windowSeconds };
  const inMemory = new RateLimiterMemory(options);
  const counts = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: inMemory,
    rejectIfRedisNotReady: true,
  });
  return { counts, inMemory };
}
