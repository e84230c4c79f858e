import pg from 'pg';

// A calendar date is a calendar date: the driver would make it midnight in this process's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export type Pool = pg.Pool;

export interface PoolOptions {
  applicationName: string;
  /** Connections kept at most. */
  size: number;
  /** The database ends a statement that runs longer. */
  statementTimeoutMs?: number;
  /** A caller is freed after this long even when its backend is frozen, which the statement timeout cannot do. */
  queryTimeoutMs?: number;
}

export function createPool(url: string, options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: withIsoDates(url),
    application_name: options.applicationName,
    max: options.size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
  });
  // An idle connection that dies (a restart, a failover) is replaced on the next use. Without a listener it would end
  // the process.
  pool.on('error', () => {});
  // Nor may one that dies while it is lent and nothing is asked of it: whoever asks next is told.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const connectTimeoutMs = 500;

/** Dates are read as text: as 2025-12-31, whatever the server, the database, the role or the address prefers. */
function withIsoDates(url: string): string {
  const address = new URL(url);
  const given = address.searchParams.get('options') ?? process.env['PGOPTIONS'] ?? '';
  address.searchParams.set('options', `${given} -c DateStyle=ISO`.trim());
  return address.href;
}

/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
