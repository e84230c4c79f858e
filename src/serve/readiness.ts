import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { explainDatabaseError, noDatabaseAnswers } from '../database/explain.ts';
import type { PooledDatabase } from '../database/databases.ts';
import { orOldPostgres } from '../database/version.ts';
import type { Statement } from '../read/reader.ts';

export interface ReadinessOptions {
  /** The primary first, then the replicas. */
  documents: PooledDatabase[];
  keys: PooledDatabase[];
  /** Everything that the server reads for callers. */
  statements: Statement[];
  /**
   * The minimum time between two trials of the statements, and the maximum time that a probe waits for one.
   * Only tests set these.
   */
  everyMs?: number;
  longestWaitMs?: number;
}

const readDocuments = 'select from published.list_revision limit 1';

/** Returns true if at least one database answers a read of documents. */
export async function areReadsPossible(documents: PooledDatabase[]): Promise<boolean> {
  return (await whyNone(documents, 'read documents', readDocuments)) === undefined;
}

/**
 * Creates the readiness check. It returns undefined if at least one database can verify keys and at least one
 * can read all documents. Otherwise it says what to repair.
 */
export function createReadiness({
  documents,
  keys,
  statements,
  everyMs = 5_000,
  longestWaitMs = 500,
}: ReadinessOptions): () => Promise<string | undefined> {
  let unreadable: string | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = -Infinity;

  async function whyUnreadable(): Promise<string | undefined> {
    if (performance.now() - lookedAt >= everyMs) {
      lookedAt = performance.now();
      looking = look();
    }
    // A busy database, or a lock, must not make probes slow, so they get the last known result.
    await Promise.race([looking, sleep(longestWaitMs, undefined, { ref: false })]);
    return unreadable;
  }

  async function look(): Promise<void> {
    for (const database of documents) {
      const verdict = await tryStatements(database, statements);
      if (verdict === undefined) continue;
      unreadable = verdict.refusal;
      return;
    }
  }

  return async () =>
    (await whyNone(documents, 'read documents', readDocuments)) ??
    (await whyNone(keys, 'verify keys', "select from keys.check_key('')")) ??
    (await whyUnreadable());
}

async function whyNone(
  databases: PooledDatabase[],
  may: string,
  statement: string,
): Promise<string | undefined> {
  try {
    await Promise.any(databases.map(({ pool }) => pool.query(inTime(statement))));
    return undefined;
  } catch (error) {
    // The errors are in the order of the databases, so the first one is the primary's.
    const [first] = (error as AggregateError).errors;
    const [primary] = databases;
    const better =
      primary === undefined
        ? first
        : await orOldPostgres(first, { query: (text) => primary.pool.query(inTime(text)) });
    const missingRight = `${may}: grant it wartable_serve, or run \`wartable migrate\` if it has it`;
    return explainDatabaseError(better, missingRight) ?? noDatabaseAnswers;
  }
}

/**
 * Returns a query that fails after this time, even if the backend is frozen. The driver's types do not
 * include the option.
 */
function inTime(text: string): QueryConfig {
  return { text, query_timeout: 2_500 } as QueryConfig;
}

/** Tries all statements on one database. Returns undefined if it gave no answer. */
async function tryStatements(
  { pool, isDown }: PooledDatabase,
  statements: Statement[],
): Promise<{ refusal: string | undefined } | undefined> {
  if (isDown()) return undefined;
  const client = await pool.connect().catch(() => undefined);
  if (client === undefined) return undefined;
  let refused: unknown;
  try {
    await client.query(inTime(explanationOf(statements)));
    return { refusal: undefined };
  } catch (error) {
    refused = error;
    if (!isRefusal(error)) return undefined;
    return { refusal: `the server cannot read all documents (${error.message}): run \`wartable doctor\`` };
  } finally {
    // After an error the statement is still prepared on that connection.
    client.release(refused !== undefined);
  }
}

/**
 * Builds a script that makes the database explain all statements in one round trip. That reads no rows, and
 * fails where a statement would fail: if a table, column, function or privilege is missing. The plan must be
 * generic, because with nulls for its parameters the database leaves out parts of a statement and does not
 * check the privileges for them.
 */
function explanationOf(statements: Statement[]): string {
  const each = statements.map(({ text }) => {
    const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const nulls = Array.from({ length: parameters }).fill('null').join();
    return `prepare tried as ${text}; explain execute tried${nulls && `(${nulls})`}; deallocate tried`;
  });
  return `begin; set local plan_cache_mode = force_generic_plan; ${each.join('; ')}; commit`;
}

/**
 * Returns true if a table, column, function, schema or privilege is missing. The codes of all these errors
 * have class 42 or 3F.
 */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(42|3F)/.test(String(error.code));
}

export interface UntilReadyOptions {
  /** Returns undefined if the server is ready, and otherwise the reason why not. */
  notReady: () => Promise<string | undefined>;
  logger: Pick<Logger, 'info' | 'warn'>;
  everyMs?: number;
}

/**
 * Logs why a server that has started is not ready yet, repeats it when the reason changes, and finally logs
 * that it is ready.
 */
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
