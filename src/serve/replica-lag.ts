import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { atMostEvery } from './at-most-every.ts';

type Asked = Pick<Database, 'query'>;

interface Behind {
  isBehind: boolean;
  /** Null if it has not replayed any commit since it started. */
  lastCommitSeconds: number | null;
}

/**
 * Returns a function that tells how many seconds each replica is behind the primary, or NaN if either does
 * not answer.
 *
 * The age of the last replayed commit alone would grow while nothing is written. So a replica that has
 * everything is 0 s behind, and none is behind for longer than the time since it last had everything.
 */
export function createReplicaLag(
  primary: Asked,
  replicas: Asked[],
  everyMs?: number,
): () => Promise<number[]> {
  const startedAt = performance.now();
  const hadAllAt = replicas.map((): number | undefined => undefined);

  async function ask(): Promise<number[]> {
    if (replicas.length === 0) return [];
    const [head] = await primary.query<{ lsn: string; now: string; started: string }>({
      name: 'wal_head',
      text: `select pg_current_wal_lsn()::text as lsn, clock_timestamp()::text as now, pg_postmaster_start_time()::text as started`,
    });
    if (head === undefined) return unknown();
    return Promise.all(
      replicas.map((replica, i) => lagOf(replica, i, [head.lsn, head.now, head.started]).catch(() => NaN)),
    );
  }

  async function lagOf(replica: Asked, i: number, head: string[]): Promise<number> {
    let row = await behind(replica, head);
    // The last commit may be hours old while only milliseconds are missing, so look twice before reporting
    // the first such figure.
    if (row?.isBehind === true && hadAllAt[i] === undefined) {
      await sleep(momentMs);
      row = await behind(replica, head);
    }
    if (row === undefined) return NaN;
    if (!row.isBehind) {
      hadAllAt[i] = performance.now();
      return 0;
    }
    const { lastCommitSeconds } = row;
    const since = hadAllAt[i] ?? (lastCommitSeconds === null ? startedAt : -Infinity);
    return Math.max(0, Math.min(lastCommitSeconds ?? Infinity, (performance.now() - since) / 1_000));
  }

  async function behind(replica: Asked, head: string[]): Promise<Behind | undefined> {
    const [row] = await replica.query<Behind>(behindHead, head);
    return row;
  }

  const unknown = () => replicas.map(() => NaN);
  return atMostEvery(() => ask().catch(unknown), everyMs);
}

const momentMs = 200;

// The commit time and the current time both come from the primary's clock, because the replica's clock may
// differ. After a failover the primary itself may be among the replicas. Any other server that is no longer a
// replica receives no commits.
const behindHead: Statement = {
  name: 'behind_head',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() < $1::pg_lsn
          else pg_postmaster_start_time() <> $3::timestamptz end as "isBehind",
        extract(epoch from $2::timestamptz - pg_last_xact_replay_timestamp())::float8 as "lastCommitSeconds"`,
};
