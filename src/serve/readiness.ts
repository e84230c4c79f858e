import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { explainDatabaseError, noDatabaseAnswers } from '../database/explain.ts';
import type { PooledDatabase } from '../database/databases.ts';
import { orOldPostgres } from '../database/version.ts';

export interface ReadinessOptions {
  /** The primary first, then the replicas. */
  documents: PooledDatabase[];
  keys: PooledDatabase[];
}

/** Undefined when some database can verify keys and some database can read documents. Otherwise what to repair. */
export async function whyNotReady({ documents, keys }: ReadinessOptions): Promise<string | undefined> {
  return (
    (await whyNone(documents, 'read documents', 'select from published.tournament_list limit 1')) ??
    (await whyNone(keys, 'verify keys', "select from keys.check_key('')"))
  );
}

async function whyNone(
  databases: PooledDatabase[],
  may: string,
  statement: string,
): Promise<string | undefined> {
  try {
    await Promise.any(databases.map(({ pool }) => pool.query(statement)));
    return undefined;
  } catch (error) {
    // The errors are in the order of the databases, so the first is the primary's.
    const [first] = (error as AggregateError).errors;
    const better = databases[0] ? await orOldPostgres(first, databases[0].pool) : first;
    const missingRight = `${may}: grant it wartable_serve, or run \`wartable migrate\` if it has it`;
    return explainDatabaseError(better, missingRight) ?? noDatabaseAnswers;
  }
}

export interface UntilReadyOptions {
  /** Undefined when ready, otherwise the reason. */
  notReady: () => Promise<string | undefined>;
  logger: Pick<Logger, 'info' | 'warn'>;
  everyMs?: number;
}

/** Logs why a server that has started is not ready, again when the reason changes, and once that it is ready. */
export async function tellUntilReady(
  { notReady, logger, everyMs = 1_000 }: UntilReadyOptions,
  signal: AbortSignal,
): Promise<void> {
  let told: string | undefined;
  for (;;) {
    const reason = await notReady();
    if (signal.aborted) return;
    if (reason === undefined) return logger.info('ready');
    if (reason !== told) logger.warn(`not ready: ${reason}`);
    told = reason;
    await sleep(everyMs, undefined, { signal }).catch(() => {});
  }
}
