import type { PoolClient } from 'pg';
import type { Pool } from '../database/pool.ts';

/**
 * Lends a connection whose statements all see one moment. The facts of a thing are read in a dozen statements while
 * others go on recording; the writing transaction cannot be that snapshot, since it must see the newest revisions.
 */
export async function inSnapshot<T>(pool: Pool, work: (reader: PoolClient) => Promise<T>): Promise<T> {
  const reader = await pool.connect();
  let broken: Error | undefined;
  try {
    await reader.query('begin isolation level repeatable read read only');
    return await work(reader);
  } finally {
    await reader.query('rollback').catch((error: Error) => {
      broken = error;
    });
    reader.release(broken);
  }
}
