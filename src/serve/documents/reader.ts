import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from '../../database/pool.ts';
import { isUnavailable } from '../../database/unavailable.ts';
import type { Gate } from './gate.ts';
import type { NewestRevisions, RevisionScope } from './newest-revisions.ts';

export interface Statement {
  name: string;
  text: string;
}

/** What every statement returns first of all: the revision of the thing that was asked about, when it exists. */
export interface Row {
  revision: string;
}

export interface Documents {
  /**
   * One statement on a replica, or on the primary where there are none. No rows: there is no such thing. The signal
   * is the request's: it ends the wait for a place.
   */
  read: <R extends Row>(
    signal: AbortSignal,
    scope: RevisionScope,
    statement: Statement,
    values: unknown[],
  ) => Promise<R[]>;
  /** Something may have moved without our hearing of it: replicas have to catch up with this moment first. */
  distrustReplicas: () => void;
  /** Reads that a replica failed so far. */
  replicaFailures: () => number;
  close: () => void;
}

export interface DocumentsOptions {
  primary: Pool;
  replicas: Pool[];
  newestRevisions: NewestRevisions;
  gate: Gate;
  logger: FastifyBaseLogger;
}

/**
 * Reads go round the replicas. A copy there that is older than a revision heard of is not sent: the primary is asked
 * the same once, and only when it does not answer is the old copy better than nothing. Whatever is wrong with a
 * replica, the primary is asked, too: a mistake of ours it will find as well.
 */
export function createDocuments({
  primary,
  replicas,
  newestRevisions,
  gate,
  logger,
}: DocumentsOptions): Documents {
  const caughtUp = new Set<Pool>();
  const toldAt = new Map<Pool, number>();
  let failures = 0;
  let turn = 0;
  let catchingUp = new AbortController();

  async function read<R extends Row>(
    scope: RevisionScope,
    statement: Statement,
    values: unknown[],
  ): Promise<R[]> {
    const ask = async (pool: Pool) => (await pool.query<R>({ ...statement, values })).rows;
    const askReplica = (replica: Pool) => ask(replica).catch((error: unknown) => noteFailure(replica, error));
    turn = (turn + 1) % Math.max(replicas.length, 1);
    const replica = replicas[turn];
    const isTrusted = replica !== undefined && caughtUp.has(replica);
    const copy = isTrusted ? await askReplica(replica) : undefined;
    if (copy !== undefined && !newestRevisions.isNewer(scope, copy[0]?.revision)) return copy;
    try {
      return await ask(primary);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      const unasked = replicas.filter((each) => !isTrusted || each !== replica);
      const old = copy ?? (await firstCopy(unasked, askReplica));
      if (old === undefined) throw error;
      return old;
    }
  }

  function noteFailure(replica: Pool, error: unknown): undefined {
    failures += 1;
    if (performance.now() - (toldAt.get(replica) ?? -Infinity) < tellAgainMs) return;
    toldAt.set(replica, performance.now());
    logger.warn(
      { err: error, replica: replicas.indexOf(replica) + 1 },
      'a replica failed; the primary is asked',
    );
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    const position = await untilAnswered(signal, async () => {
      // Not pg_current_wal_lsn: an asynchronous commit is told of before it is written. With a transaction id, this
      // transaction commits behind that position: on a quiet primary nothing else might come, and be written, for long.
      const { rows } = await primary.query<{ at: string }>(
        'select pg_current_wal_insert_lsn() as at from pg_current_xact_id()',
      );
      return rows[0]?.at;
    });
    const follow = (replica: Pool) =>
      untilAnswered(signal, async () => {
        const { rows } = await replica.query<{ there: boolean }>(
          'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
          [position],
        );
        if (rows[0]?.there !== true) return undefined;
        if (!signal.aborted) caughtUp.add(replica);
        return true;
      });
    await Promise.all(replicas.map(follow));
  }

  return {
    read: (signal, scope, statement, values) => gate.pass(signal, () => read(scope, statement, values)),
    distrustReplicas() {
      caughtUp.clear();
      catchingUp.abort();
      catchingUp = new AbortController();
      if (replicas.length > 0) void catchUp(catchingUp.signal);
    },
    replicaFailures: () => failures,
    close: () => catchingUp.abort(),
  };
}

async function firstCopy<T>(
  replicas: Pool[],
  ask: (replica: Pool) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const replica of replicas) {
    const copy = await ask(replica);
    if (copy !== undefined) return copy;
  }
  return undefined;
}

/** Tries for as long as it takes: a database that is down now will be back. */
async function untilAnswered<T>(
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(askAgainMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

const askAgainMs = 100;
const tellAgainMs = 60_000;
