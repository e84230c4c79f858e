import type { Logger } from 'pino';
import type { Limits } from '../api/limits.ts';
import type { Config } from '../config/config.ts';

/**
 * Creates the rate limits, or returns undefined if they are switched off. They are loaded only if needed
 * because their packages take 30 MB.
 */
export async function loadLimits(
  { rateLimit, redisUrl, trustProxy }: Pick<Config, 'rateLimit' | 'redisUrl' | 'trustProxy'>,
  onRefused: (policy: string) => void,
  logger: Logger,
): Promise<Limits | undefined> {
  if (rateLimit === undefined) return undefined;
  const { createLimits } = await import('./limits/limits.ts');
  return createLimits({ rateLimit, redisUrl, trustProxy, onRefused, logger });
}
