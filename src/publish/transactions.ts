import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { inTransaction, type Pool } from '../database/pool.ts';

/** One that stands still (a stopped process, a lost network) loses its locks: the other publishers wait for them. */
const bounded = "set local idle_in_transaction_session_timeout = '60s'";

/** What a publisher writes, all of it or nothing. */
export async function inPublication<T>(pool: Pool, work: (writer: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (writer) => {
    await writer.query(bounded);
    return work(writer);
  });
}

/**
 * Lends a connection whose statements all see one moment. The facts of a thing are read in a dozen statements while
 * others go on recording; the writing transaction cannot be that snapshot, since it must see the newest revisions.
 */
export async function inSnapshot<T>(pool: Pool, work: (reader: PoolClient) => Promise<T>): Promise<T> {
  const reader = await pool.connect();
  let broken: Error | undefined;
  try {
    await reader.query(`begin isolation level repeatable read read only; ${bounded}`);
    return await work(reader);
  } finally {
    await reader.query('rollback').catch((error: Error) => {
      broken = error;
    });
    reader.release(broken);
  }
}

const conflictCodes = new Set(['23505', '40001', '40P01']);

/** Two publishers may meet over a battle, or over the rows of players and clubs. The one that PostgreSQL ends tries again. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (attempt === 5 || !conflictCodes.has(String(code))) throw error;
      await sleep(50 * attempt);
    }
  }
}
