import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../database/pool.ts';
import { isUnavailable } from '../database/unavailable.ts';
import type { Gate } from './gate.ts';
import type { Heard, Thing } from './heard.ts';

export interface Statement {
  name: string;
  text: string;
}

/** What every statement returns first of all: the revision of the thing that was asked about, when it exists. */
export interface Row {
  revision: string;
}

export interface Documents {
  /** One statement on a replica, or on the primary where there are none. No rows: there is no such thing. */
  read: <R extends Row>(thing: Thing, statement: Statement, values: unknown[]) => Promise<R[]>;
  /** Something may have moved without our hearing of it: replicas have to catch up with this moment first. */
  distrustReplicas: () => void;
  close: () => void;
}

export interface DocumentsOptions {
  primary: Pool;
  replicas: Pool[];
  heard: Heard;
  gate: Gate;
}

/**
 * Reads go round the replicas. A copy there that is older than a revision heard of is not sent: the primary is asked
 * the same once, and only when it does not answer is the old copy better than nothing.
 */
export function createDocuments({ primary, replicas, heard, gate }: DocumentsOptions): Documents {
  const caughtUp = new Set<Pool>();
  let turn = 0;
  let catchingUp = new AbortController();

  async function read<R extends Row>(thing: Thing, statement: Statement, values: unknown[]): Promise<R[]> {
    const ask = async (pool: Pool) => (await pool.query<R>({ ...statement, values })).rows;
    turn = (turn + 1) % Math.max(replicas.length, 1);
    const replica = replicas[turn];
    if (replica === undefined) return ask(primary);
    if (!caughtUp.has(replica)) return firstThatAnswers(ask, primary, replica);

    const copy = await ask(replica).catch(onlyUnavailable);
    if (copy === undefined) return ask(primary);
    if (!heard.isNewer(thing, copy[0]?.revision)) return copy;
    return (await ask(primary).catch(onlyUnavailable)) ?? copy;
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    const position = await untilAnswered(signal, async () => {
      const { rows } = await primary.query<{ at: string }>('select pg_current_wal_lsn() as at');
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
    read: (thing, statement, values) => gate.pass(() => read(thing, statement, values)),
    distrustReplicas() {
      caughtUp.clear();
      catchingUp.abort();
      catchingUp = new AbortController();
      if (replicas.length > 0) void catchUp(catchingUp.signal);
    },
    close: () => catchingUp.abort(),
  };
}

async function firstThatAnswers<T>(ask: (pool: Pool) => Promise<T>, first: Pool, second: Pool): Promise<T> {
  return (await ask(first).catch(onlyUnavailable)) ?? ask(second);
}

function onlyUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error;
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
