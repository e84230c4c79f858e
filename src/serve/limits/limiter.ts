import type { Redis } from 'ioredis';
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
  /** Gives points back. Only before the window ends: in the next one they would be a present. */
  giveBack: (name: string, quota: number, points: number) => void;
}

export const windowSeconds = 60;

/** Counts in Redis, and in the memory of this process without Redis or while it does not answer. */
export function createLimiter(redis: Redis | undefined): Limiter {
  // The library wants one limiter for each quota. There are few: ours, and those that operators gave to accounts.
  const byQuota = new Map<number, LimiterOfQuota>();

  function limiterOf(quota: number): LimiterOfQuota {
    let limiter = byQuota.get(quota);
    if (limiter === undefined) {
      limiter = limiterWith(quota, redis);
      byQuota.set(quota, limiter);
    }
    return limiter;
  }

  return {
    async take(name, quota, points) {
      const { counts, inMemory } = limiterOf(quota);
      try {
        const { consumedPoints, remainingPoints, msBeforeNext } = await counts.consume(name, points);
        // Where Redis ends, memory goes on. Else a Redis that answers late now and then would give the quota again.
        if (counts !== inMemory) void inMemory.set(name, consumedPoints, msBeforeNext / 1_000);
        return { isRefused: false, points: remainingPoints, ms: msBeforeNext };
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        return { isRefused: true, points: 0, ms: (refusal as { msBeforeNext: number }).msBeforeNext };
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

interface LimiterOfQuota {
  counts: RateLimiterMemory | RateLimiterRedis;
  inMemory: RateLimiterMemory;
}

function limiterWith(quota: number, redis: Redis | undefined): LimiterOfQuota {
  const options = { keyPrefix: 'wartable:limit', points: quota, duration: windowSeconds };
  const inMemory = new RateLimiterMemory(options);
  if (redis === undefined) return { counts: inMemory, inMemory };
  const counts = new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: inMemory,
    rejectIfRedisNotReady: true,
    // A caller above the quota is refused from memory until the window ends. A flood does not reach Redis.
    inMemoryBlockOnConsumed: quota + 1,
  });
  return { counts, inMemory };
}
