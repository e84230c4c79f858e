import type { Logger } from 'pino';
import type { Limits } from '../api/limits.ts';
import type { Config } from '../config/config.ts';

/** Undefined when limits are switched off. Loaded only when needed: their packages need 30 MB. */
export async function loadLimits(
  { rateLimit, redisUrl, trustProxy }: Pick<Config, 'rateLimit' | 'redisUrl' | 'trustProxy'>,
  onRefused: (policy: string) => void,
  logger: Logger,
): Promise<Limits | undefined> {
  if (rateLimit === undefined) return undefined;
  const { createLimits } = await import('./limits/limits.ts');
  return createLimits({ rateLimit, redisUrl, trustProxy, onRefused, logger });
}
