import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/**
 * Opens a connection that fails fast. Every request waits for Redis, so a Redis that is down or frozen must
 * not cost a request much. A command waits at most 50 ms. After 200 ms without an answer the connection is
 * closed, and commands fail at once until a new one is ready.
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
  // This event comes with every attempt to connect, so log it only once.
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
