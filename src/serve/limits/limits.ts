import type { Logger } from 'pino';
import type { Limits, Share } from '../../api/limits.ts';
import type { Caller } from '../../keys/look-up.ts';
import { createClientAddress } from '../../http/client-address.ts';
import { createLimiter, type Left, windowSeconds } from './limiter.ts';
import { connectRedis } from './redis.ts';

// Limits the requests per minute for each key or account, and the failed authentications per minute for each
// address.

type Policy = 'key' | 'account' | 'address';

export interface LimitsOptions {
  /** Requests per minute for each key, unless its account has a limit of its own. */
  rateLimit: number;
  redisUrl: string | undefined;
  trustProxy: string[];
  onRefused: (policy: Policy) => void;
  logger: Logger;
}

interface Quota {
  policy: Policy;
  name: string;
  requests: number;
  /** The quota in tenths of a request. */
  quota: number;
}

const quotaFor = (policy: Policy, id: string, requests: number): Quota => ({
  policy,
  name: `${policy}:${id}`,
  requests,
  quota: requests * fullPrice,
});

/** Prices in tenths of a request. */
const fullPrice = 10;
const cheapPrice = 1;

/** A point that is given back this shortly before the end may arrive in the next window. */
const endOfWindowMs = 200;

export function createLimits({ rateLimit, redisUrl, trustProxy, onRefused, logger }: LimitsOptions): Limits {
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);
  const limiter = createLimiter(redis);
  const addressOf = createClientAddress(trustProxy);
  const failuresPerAddress = Math.max(fewestFailures, Math.floor(rateLimit / 10));

  const { take, takeNow } = limiter;

  function shareOf({ policy, name, requests, quota }: Quota, left: Left): Share {
    const takenAt = performance.now();
    if (left.isRefused) onRefused(policy);
    return {
      isRefused: left.isRefused,
      headers: headersOf(policy, requests, left),
      becomeCheap() {
        const ms = left.ms - (performance.now() - takenAt);
        if (ms <= endOfWindowMs) return {};
        limiter.giveBack(name, quota, fullPrice - cheapPrice);
        return headersOf(policy, requests, { ...left, points: left.points + fullPrice - cheapPrice, ms });
      },
    };
  }

  const quotaOf = ({ keyId, accountId, accountLimit }: NonNullable<Caller>) =>
    accountLimit === undefined
      ? quotaFor('key', keyId, rateLimit)
      : quotaFor('account', accountId, accountLimit);

  async function count(of: Quota): Promise<Share> {
    return shareOf(of, await take(of.name, of.quota, fullPrice));
  }

  return {
    count: (caller) => count(quotaOf(caller)),

    countNow:
      takeNow &&
      ((caller) => {
        const of = quotaOf(caller);
        return shareOf(of, takeNow(of.name, of.quota, fullPrice));
      }),

    countFailure: (message) => count(quotaFor('address', addressOf(message), failuresPerAddress)),

    failedTooOften(message) {
      // Otherwise the address may be that of a proxy, and all callers would pay for one.
      if (trustProxy.length === 0) return undefined;
      const ms = limiter.refusedForMs(`address:${addressOf(message)}`, failuresPerAddress * fullPrice);
      if (ms === 0) return undefined;
      onRefused('address');
      const headers = headersOf('address', failuresPerAddress, { isRefused: true, points: 0, ms });
      return { isRefused: true, headers, becomeCheap: () => headers };
    },

    isShared: () => redis?.status === 'ready',
    close() {
      // Closing while it connects is an error for the driver, but not for us.
      redis?.removeAllListeners('error').on('error', () => {});
      redis?.disconnect();
    },
  };
}

/** The minimum, so that typing mistakes remain possible. */
const fewestFailures = 10;

/**
 * Returns the headers for a request. Retry-After is part of the contract. The other two follow
 * draft-ietf-httpapi-ratelimit-headers, which may still change.
 */
function headersOf(
  policy: Policy,
  requests: number,
  { isRefused, points, ms }: Left,
): Record<string, string> {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return {
    'ratelimit-policy': `"${policy}";q=${requests};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${Math.floor(points / fullPrice)};t=${seconds}`,
    ...(isRefused && { 'retry-after': String(seconds) }),
  };
}
