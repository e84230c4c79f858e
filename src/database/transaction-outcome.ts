import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** What to know about a transaction before its commit, so that another connection can ask how it ended. */
export interface NotedTransaction {
  xact: string;
  /** A position of the log after something that the transaction wrote, and before its commit. */
  lsn: string;
  /** The end of the log at the server's last recovery. Null if its last start was clean. */
  replayed: string | null;
}

/** Select these columns in a transaction that has already written something. */
export const noteTransaction = `pg_current_xact_id()::text as xact, pg_current_wal_insert_lsn()::text as lsn,
  pg_last_wal_replay_lsn()::text as replayed`;

/** For a transaction whose connection was lost. Waits while it is in progress. False also if this server never had it. */
export async function wasCommitted(client: ClientBase, noted: NotedTransaction): Promise<boolean> {
  if (await isForgotten(client, noted)) return false;
  for (;;) {
    const status = await statusOf(client, noted.xact);
    if (status === 'in progress') {
      await sleep(100);
      continue;
    }
    if (status !== 'committed') return false;
    // A backend that was ended may have skipped the wait for a synchronous standby. This commit waits for it.
    await client.query(`select pg_logical_emit_message(true, 'wartable', '')`);
    return true;
  }
}

/**
 * A crash or a failover can lose the end of the log. The server then gives the lost transaction ids to others, so the id
 * alone could show the end of another transaction. If the server has recovered since, and not beyond our position, then
 * our commit is lost. If it has recovered beyond our position, then it knows our transaction, and the id is ours.
 */
async function isForgotten(client: ClientBase, { lsn, replayed }: NotedTransaction): Promise<boolean> {
  const { rows } = await client.query<{ forgotten: boolean | null }>(
    `select pg_last_wal_replay_lsn() is distinct from $2::pg_lsn and pg_last_wal_replay_lsn() <= $1::pg_lsn
      as forgotten`,
    [lsn, replayed],
  );
  return rows[0]?.forgotten === true;
}

/** Null if the server no longer remembers it. */
async function statusOf(client: ClientBase, xact: string): Promise<string | null> {
  try {
    const { rows } = await client.query<{ status: string | null }>(
      'select pg_xact_status($1::xid8) as status',
      [xact],
    );
    return rows[0]?.status ?? null;
  } catch (error) {
    const isInTheFuture = (error as { code?: unknown } | null)?.code === '22023';
    if (isInTheFuture) return null;
    throw error;
  }
}
