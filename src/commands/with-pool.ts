import type { PoolClient } from 'pg';
import { createPool, type Pool } from '../database/pool.ts';

/** Lends a small pool to a command that does one thing and ends. */
export async function withPool<T>(databaseUrl: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool(databaseUrl, {
    applicationName: 'wartable-command',
    size: 8,
    // A busy machine must not look like a database that is away.
    connectTimeoutMs: 5_000,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Lends one connection to the work. After a failure the connection is closed, not reused. When the connection is lost
 * while the work waits for something else, this rejects at once.
 */
export async function inClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const lost = new Promise<never>((_, reject) => client.once('error', reject));
  try {
    const result = await Promise.race([work(client), lost]);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
