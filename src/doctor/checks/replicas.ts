import { setTimeout as sleep } from 'node:timers/promises';
import { explainDatabaseError, noDatabaseAnswers } from '../../database/explain.ts';
import { createPool, type Pool } from '../../database/pool.ts';
import { type Check, fault, type Finding, type Installation } from '../finding.ts';

/** The maximum time for a replica to replay what the primary has now. */
const longestLagMs = 5_000;

export const replicas: Check = async (installation) => {
  const found = await Promise.all(installation.readUrls.map((url) => examineReplica(url, installation)));
  return found.flat();
};

async function examineReplica(url: string, { pool: primary }: Installation): Promise<Finding[]> {
  // The address may contain a password.
  const { host, pathname } = new URL(url);
  const name = `The replica ${host}${pathname} in READ_URLS`;
  const replica = createPool(url, { applicationName: 'wartable-doctor', size: 1 });
  try {
    const of = await identity(replica);
    if (!of.standby)
      return [fault(`${name} is not a replica: name a streaming standby of the primary, or none.`)];
    const own = await identity(primary);
    if (of.system !== own.system)
      return [fault(`${name} replicates another cluster: name a standby of the primary.`)];
    const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    const lag = await lagBehind(replica, rows[0]?.lsn ?? '0/0');
    if (lag === undefined) return [];
    return [
      fault(
        `${name} lags behind the primary: ${lag.bytes} bytes are not replayed after ${longestLagMs / 1_000} s, and the last replayed change is from ${lag.since}. Check that it streams, and that its replay is not paused.`,
      ),
    ];
  } catch (error) {
    const reason = explainDatabaseError(error, 'read there') ?? noDatabaseAnswers;
    return [fault(`${name} does not answer (${reason.replaceAll('DATABASE_URL', 'READ_URLS')}).`)];
  } finally {
    await replica.end();
  }
}

async function identity(pool: Pool): Promise<{ standby: boolean; system: string }> {
  const { rows } = await pool.query<{ standby: boolean; system: string }>(
    'select pg_is_in_recovery() as standby, system_identifier::text as system from pg_control_system()',
  );
  const [row] = rows;
  if (row === undefined) throw new Error('pg_control_system() returned nothing');
  return row;
}

async function lagBehind(replica: Pool, lsn: string): Promise<{ bytes: string; since: string } | undefined> {
  for (const giveUpAt = Date.now() + longestLagMs; ; await sleep(100)) {
    const { rows } = await replica.query<{ bytes: string; since: string }>(
      `select pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::text as bytes,
        coalesce(to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'unknown') as since`,
      [lsn],
    );
    const [row] = rows;
    if (row === undefined || Number(row.bytes) <= 0) return undefined;
    if (Date.now() > giveUpAt) return row;
  }
}
