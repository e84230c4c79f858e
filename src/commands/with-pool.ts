import type { PoolClient } from 'pg';
import { type Config, readConfig } from '../config/config.ts';
import type { LastingClient } from '../database/lasting-client.ts';
import { createPool, type Pool } from '../database/pool.ts';
import { orOldPostgres } from '../database/version.ts';
import { isConnectionLoss, Unavailable } from '../availability/unavailable.ts';

/** Lends a small pool to a command that does one thing and ends. */
export async function withPool<T>(
  work: (pool: Pool, config: Config) => Promise<T>,
  tell: (line: string) => void = (line) => console.error(line),
): Promise<T> {
  const config = readConfig(process.env);
  const pool = createPool(config.databaseUrl, {
    applicationName: 'wartable-command',
    size: 8,
    lockWatch: { tell },
  });
  try {
    return await work(pool, config);
  } catch (error) {
    throw await orOldPostgres(error, pool);
  } finally {
    await pool.end();
  }
}

/** Lends a connection that reads a single snapshot. It takes no lock that an import would wait for. */
export async function withSnapshot<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    // The first statement takes the snapshot. The reader may pause for a long time, for example because of a
    // slow feed or pipe.
    await client.query('begin isolation level repeatable read, read only');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query('select 1');
    return await work(client);
  } finally {
    // The transaction has changed nothing, and a lost connection has nothing to roll back.
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

/** Releases the connection after the work. A lost connection is replaced. */
export async function inLastingClient<T>(
  client: LastingClient,
  work: (client: LastingClient) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(error);
    throw error;
  }
}

/**
 * Lends the connection to a dry run, which is one transaction. If the connection is lost, this rejects at
 * once, even while the work waits for something else.
 */
export async function inDryRun<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>();
  client.once('error', lost.reject);
  try {
    const result = await Promise.race([work(client), lost.promise]);
    client.off('error', lost.reject);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    if (!isConnectionLoss(error)) throw error;
    throw new Unavailable(
      'The connection to the database was lost. A dry run is one transaction: start it again.',
      { cause: error },
    );
  }
}
