import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { atMostEvery } from './at-most-every.ts';

type Asked = Pick<Database, 'query'>;

interface Behind {
  isBehind: boolean;
  /** Null when it has replayed no commit since it started. */
  lastCommitSeconds: number | null;
}

/**
 * How many seconds each replica is behind the primary. NaN: one of the two gave no answer. The age of the last replayed
 * commit alone would grow while nothing is written. So a replica that has everything is 0 s behind, and no replica is
 * behind for longer than since it last had everything.
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
    // The last commit may be hours old, and what is missing only milliseconds: look twice before the first such figure.
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

// The commit and the moment have the clock of the primary: the clock of the replica may differ. After a failover the
// primary itself may be among the replicas. Any other one that is no replica any more gets no commits.
const behindHead: Statement = {
  name: 'behind_head',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() < $1::pg_lsn
          else pg_postmaster_start_time() <> $3::timestamptz end as "isBehind",
        extract(epoch from $2::timestamptz - pg_last_xact_replay_timestamp())::float8 as "lastCommitSeconds"`,
};
