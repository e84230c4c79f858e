import pg from 'pg';
import { type Backend, LockWatch, type LockWatchOptions, openTransaction } from './lock-watch.ts';

// Keep a calendar date as text: the driver would turn it into midnight in this process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export interface Pool extends pg.Pool {
  /** Watches transactions of this pool that wait for locks of other sessions. */
  readonly lockWatch: LockWatch;
}

export interface PoolOptions {
  applicationName: string;
  /** Maximum number of connections. */
  size: number;
  /**
   * Time limit for opening a connection. The default is long, because a busy machine must not look like a
   * database that is away.
   */
  connectTimeoutMs?: number;
  /** The database cancels a statement that runs longer. */
  statementTimeoutMs?: number;
  /**
   * The query fails after this time even if its backend is frozen, which the statement timeout cannot
   * achieve.
   */
  queryTimeoutMs?: number;
  lockWatch?: LockWatchOptions;
}

export function createPool(url: string, options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: withSettings(url),
    application_name: options.applicationName,
    max: options.size,
    connectionTimeoutMillis: options.connectTimeoutMs ?? defaultConnectTimeoutMs,
    idleTimeoutMillis: 30_000,
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
  });
  // The pool replaces an idle connection that dies (a restart, a failover) at the next use. Without this
  // listener the error would end the process.
  pool.on('error', () => {});
  // The same applies to a connection that dies while it is lent but runs no query: its next query reports the
  // error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return Object.assign(pool, { lockWatch: new LockWatch(pool, options.lockWatch) });
}

const defaultConnectTimeoutMs = 5_000;

/**
 * Adds settings that override those of the server, database, role or address. We read dates as text, so they
 * must look like 2025-12-31. JIT is off because no statement of ours runs long enough to be worth compiling:
 * Debian's PostgreSQL spent a third of an import on it.
 */
function withSettings(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? process.env['PGOPTIONS'] ?? '';
  address.searchParams.set('options', `${given} -c DateStyle=ISO -c jit=off`.trim());
  return address.href;
}

/**
 * Runs `work` in one transaction, which is committed when `work` returns and rolled back when it throws. If
 * the process stops in the middle, the database ends the transaction after a minute.
 */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const backend: Backend = { client };
  let broken: Error | undefined;
  try {
    return await pool.lockWatch.watch(backend, async () => {
      await openTransaction(backend, 'begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
