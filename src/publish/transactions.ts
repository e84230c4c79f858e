import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { idleBound } from '../database/lock-watch.ts';
import type { Pool } from '../database/pool.ts';

/**
 * Lends a connection whose statements all see the same moment, because a dozen statements read the facts of a
 * thing while recording goes on. The writing transaction cannot be that snapshot, because it must see the
 * newest revisions.
 */
export async function inSnapshot<T>(pool: Pool, work: (reader: PoolClient) => Promise<T>): Promise<T> {
  const reader = await pool.connect();
  let broken: Error | undefined;
  try {
    await reader.query(`begin isolation level repeatable read read only; ${idleBound}`);
    return await work(reader);
  } finally {
    await reader.query('rollback').catch((error: Error) => {
      broken = error;
    });
    reader.release(broken);
  }
}

const conflictCodes = new Set(['23505', '40001', '40P01']);

/**
 * Retries work that met a conflict. Two publishers may write the same battle, player or club. PostgreSQL then
 * ends one of them, and that one tries again. Rows that somebody left behind cause conflicts, too, so `work`
 * is told that it is a retry.
 */
export async function retryConflicts<T>(work: (isRetry: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt > 1);
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (attempt === 5 || !conflictCodes.has(String(code))) throw error;
      await sleep(50 * attempt);
    }
  }
}
