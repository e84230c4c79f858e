import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** The remaining part of a quota. */
export interface Left {
  isRefused: boolean;
  points: number;
  /** The time until the window ends and the full quota is available again. */
  ms: number;
}

export interface Limiter {
  /**
   * Takes points from the quota of this name. A refused request takes some too, which makes no difference any
   * more.
   */
  take: (name: string, quota: number, points: number) => Promise<Left>;
  /** Does the same synchronously. Undefined if the counters are in Redis. */
  takeNow: ((name: string, quota: number, points: number) => Left) | undefined;
  /**
   * Gives points back. Call it only before the window ends, because in the next window they would be a gift.
   */
  giveBack: (name: string, quota: number, points: number) => void;
  /**
   * Returns the time until this name is no longer refused. Returns 0 if it is not refused, or if this
   * instance does not know.
   */
  refusedForMs: (name: string, quota: number) => number;
}

export const windowSeconds = 60;

/** Creates a limiter that counts in Redis, or in the memory of this process. */
export const createLimiter = (redis: Redis | undefined): Limiter =>
  redis === undefined ? countInMemory() : countInRedis(redis);

/**
 * Counts in memory. We don't use the library here, because its counter in memory has a timer for each name
 * and a promise for each count.
 */
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

/** Counts in Redis or, while Redis does not answer, in memory. */
function countInRedis(redis: Redis): Limiter {
  // The library needs one limiter for each quota. There are only a few: our own, and those that operators
  // have set for accounts.
  const byQuota = new Map<number, LimiterOfQuota>();
  /**
   * The time until which a name is refused, on a monotonic clock. A name above its quota is refused from
   * memory until the window ends, so a flood does not reach Redis.
   */
  const refused = new LRUCache<string, number>({ max: 10_000 });
  // The quota is part of the name because an operator may raise it in the meantime.
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
        // Copies the count to memory, which takes over whenever Redis fails. Otherwise a Redis that is late
        // now and then would grant the quota again. While Redis is down, the answer came from memory, which
        // also knows the end of the window better after the clock was changed.
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
        // If this fails, the caller has paid the full price.
        .catch(() => {});
    },
  };
}

/**
 * Keeps a duration within the window. The library uses the system clock, which may be changed, and our own
 * sums of floats may be rounded up.
 */
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
