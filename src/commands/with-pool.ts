import { createPool, type Pool } from '../database/pool.ts';

/** Lends a small pool to a command that does one thing and ends. */
export async function withPool<T>(databaseUrl: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool(databaseUrl, { applicationName: 'wartable-command', size: 4 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
