// Finds out whether a batch was committed whose connection was lost, because a batch that shows one thing in
// several states must not be applied twice. Each import has a row with the number of its last batch, written
// in the transaction of the batch. The row is therefore right on every server, even after a crash or a
// failover that lost commits.
import type { ClientBase } from 'pg';

/** Rows of imports that ended longer ago are deleted with the first batch of a later import. */
const keptDays = 30;

/** Stores the number of a batch. Call it in the transaction of the batch. The numbers begin with 1. */
export async function noteBatch(client: ClientBase, id: string, batch: number): Promise<void> {
  if (batch === 1) {
    await client.query(
      `delete from record.import where id in (
        select id from record.import where at < now() - make_interval(days => $1) for update skip locked)`,
      [keptDays],
    );
  }
  await client.query(
    `insert into record.import (id, batch) values ($1, $2)
      on conflict (id) do update set batch = excluded.batch, at = excluded.at`,
    [id, batch],
  );
}

/**
 * Reads the number in a transaction. It writes the row, too, for two reasons. First, it then waits for a
 * transaction that still holds the row, even if that one inserts it. Second, a backend that was terminated
 * may have skipped the wait for a synchronous standby, and the commit of this transaction waits for both.
 */
export async function lastBatch(client: ClientBase, id: string): Promise<number> {
  const { rows } = await client.query<{ batch: number }>(
    `insert into record.import (id, batch) values ($1, 0)
      on conflict (id) do update set at = now() returning batch`,
    [id],
  );
  return rows[0]?.batch ?? 0;
}
