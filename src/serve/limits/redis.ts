import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/**
 * A connection that fails fast: every request waits for Redis, so a Redis that is away or frozen must cost it little. A command
 * waits at most 50 ms. After 200 ms without an answer the connection is closed, and commands fail at once until a new one is
 * ready.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: 50,
    socketTimeout: 200,
    connectTimeout: 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  let reason: unknown;
  // It comes with every attempt to connect: tell it once.
  redis.on('error', (error) => {
    if (reason === undefined)
      logger.warn({ err: error }, 'Redis does not answer; this instance limits by itself');
    reason = error;
  });
  redis.on('ready', () => {
    reason = undefined;
    logger.info('Redis counts the requests of all instances');
  });
  return redis;
}
