import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from 'ioredis';

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
  const byQuota = new Map<number, RateLimiterAbstract>();

  function limiterOf(quota: number): RateLimiterAbstract {
    let limiter = byQuota.get(quota);
    if (limiter === undefined) {
      limiter = limiterWith(quota, redis);
      byQuota.set(quota, limiter);
    }
    return limiter;
  }

  return {
    async take(name, quota, points) {
      try {
        const { remainingPoints, msBeforeNext } = await limiterOf(quota).consume(name, points);
        return { isRefused: false, points: remainingPoints, ms: msBeforeNext };
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        return { isRefused: true, points: 0, ms: (refusal as { msBeforeNext: number }).msBeforeNext };
      }
    },
    giveBack(name, quota, points) {
      limiterOf(quota)
        .reward(name, points)
        // Then the caller paid the full price.
        .catch(() => {});
    },
  };
}

function limiterWith(quota: number, redis: Redis | undefined): RateLimiterAbstract {
  const options = { keyPrefix: 'wartable:limit', points: quota, duration: windowSeconds };
  const inMemory = new RateLimiterMemory(options);
  if (redis === undefined) return inMemory;
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    insuranceLimiter: inMemory,
    rejectIfRedisNotReady: true,
    // A caller above the quota is refused from memory until the window ends. A flood does not reach Redis.
    inMemoryBlockOnConsumed: quota + 1,
  });
}
