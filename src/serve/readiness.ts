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
  /** How often to try the statements at most, and how long a probe waits for it. Only tests set these. */
  everyMs?: number;
  longestWaitMs?: number;
}

const readDocuments = 'select from published.list_revision limit 1';

/** Whether some database answers a read of documents. */
export async function areReadsPossible(documents: PooledDatabase[]): Promise<boolean> {
  return (await whyNone(documents, 'read documents', readDocuments)) === undefined;
}

/** Gives undefined when some database can verify keys and read all documents. Otherwise what to repair. */
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
    // A busy database, or a lock, must not make probes slow: they get what was known before.
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
    // The errors are in the order of the databases, so the first is the primary's.
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

/** Fails after this time, also when the backend is frozen. The driver's types leave it out. */
function inTime(text: string): QueryConfig {
  return { text, query_timeout: 2_500 } as QueryConfig;
}

/** Undefined when the database gave no answer. */
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
    // After an error the statement is still prepared there.
    client.release(refused !== undefined);
  }
}

/**
 * Lets the database explain all statements in one round trip. That reads no rows, and fails where a statement would: at a
 * table, column or function that is missing, and at a right. The plan must be generic: with nulls for its parameters, the
 * database leaves out parts of a statement, and does not ask for the rights to them.
 */
function explanationOf(statements: Statement[]): string {
  const each = statements.map(({ text }) => {
    const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const nulls = Array.from({ length: parameters }).fill('null').join();
    return `prepare tried as ${text}; explain execute tried${nulls && `(${nulls})`}; deallocate tried`;
  });
  return `begin; set local plan_cache_mode = force_generic_plan; ${each.join('; ')}; commit`;
}

/** A table, column, function or schema is missing, or a right. All of these have codes of class 42 or 3F. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(42|3F)/.test(String(error.code));
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
