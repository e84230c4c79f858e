import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { createHealth, doesNotAnswer, type Health } from './health.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
import { probe } from './probe.ts';
import { Read, type Statement } from './read.ts';
import { createFreeConnections, type FreeConnections } from './free-connections.ts';
import { TimeLimit } from '../availability/time-limit.ts';
import { isConnectionLoss } from '../availability/unavailable.ts';

/** One PostgreSQL, for reads of one kind. */
export interface Database {
  /**
   * Returns the rows. Rejects at once while the database does not answer and another one does. Only for reads: it may run
   * them twice.
   */
  query: <R extends QueryResultRow>(statement: Statement, values?: unknown[]) => Promise<R[]>;
  isDown: () => boolean;
}

export interface PooledDatabase extends Database {
  /** Without a time limit for queries: whoever asks it directly brings one. */
  pool: Pool;
  /** Replaces all connections. Reads that begin after this call use new ones. */
  renew: () => void;
}

/** Each kind of read has its own connections. */
interface KindOptions extends PoolOptions {
  /** A query that needs several attempts ends after this time. */
  queryTimeoutMs: number;
}

export interface Databases<Kind extends string> {
  /** The primary first, then the replicas. */
  of: Record<Kind, [primary: PooledDatabase, ...replicas: PooledDatabase[]]>;
  /** Opens the first connections, as far as the databases answer: a burst right after the start need not wait for them. */
  open: () => Promise<void>;
  close: () => Promise<void>;
}

export interface DatabasesOptions<Kind extends string> {
  primaryUrl: string;
  replicaUrls: string[];
  kinds: Record<Kind, KindOptions>;
  onChange: (database: number, answers: boolean) => void;
}

/** All kinds share what is known about the health of a database. */
export function createDatabases<Kind extends string>(options: DatabasesOptions<Kind>): Databases<Kind> {
  const urls = [options.primaryUrl, ...options.replicaUrls];
  const { databases, close } = createHealth({
    probes: urls.map((url) => (signal) => probe(url, signal)),
    onChange: options.onChange,
    onDown: (database) => byUrl[database]?.forEach(({ giveUp }) => giveUp()),
  });
  const kinds = Object.entries<KindOptions>(options.kinds);
  const byUrl = urls.map((url, i) => {
    const pools = kinds.map(([, { queryTimeoutMs, ...kind }]) => ({
      pool: createPool(url, kind),
      kind: { ...kind, queryTimeoutMs },
    }));
    const freeConnections = pools.map(({ pool, kind }) => createFreeConnections(pool, kind.size));
    return pools.map(({ pool, kind }, k) => {
      const free = freeConnections[k] as FreeConnections;
      const others = freeConnections.filter((each) => each !== free);
      return createDatabase({ pool, free, others, health: databases[i] as Health, ...kind });
    });
  });
  return {
    of: Object.fromEntries(
      kinds.map(([name], k) => [name, byUrl.map((each) => each[k])]),
    ) as unknown as Databases<Kind>['of'],
    async open() {
      const opened = byUrl
        .flat()
        .flatMap(({ pool }) => Array.from({ length: openedAtStart }, () => pool.connect()));
      for (const client of await Promise.allSettled(opened))
        if (client.status === 'fulfilled') client.value.release();
    },
    async close() {
      close();
      await Promise.all(byUrl.flat().map(({ pool }) => pool.end()));
    },
  };
}

interface DatabaseOptions {
  pool: Pool;
  free: FreeConnections;
  /** Of the other kinds. */
  others: FreeConnections[];
  health: Health;
  queryTimeoutMs: number;
}

function createDatabase({ pool, free, others, health, queryTimeoutMs }: DatabaseOptions) {
  const limit = new TimeLimit<Read>(queryTimeoutMs, (read) => read.endLate());

  function ask<R extends QueryResultRow>(statement: Statement, values: unknown[]): Promise<R[]> {
    return new Promise((resolve, reject) => {
      const read = new Read({ statement, values, limit }, (error, rows) => {
        health.end(error);
        if (error === undefined) resolve(rows as R[]);
        else reject(error);
      });
      health.begin();
      read.start(pool);
    });
  }

  async function query<R extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<R[]> {
    const lastAttemptAt = performance.now() + queryTimeoutMs - shortestMs;
    for (let breaks = 0; ;) {
      if (health.isDown()) throw doesNotAnswer;
      try {
        return await ask<R>(statement, values);
      } catch (error) {
        if (performance.now() > lastAttemptAt) throw error;
        if (isCrowded(error)) {
          await free.shrink(others);
        } else if (isConnectionLoss(error) && breaks < maxBreaks) {
          breaks += 1;
          // Other connections break at the same time. The pool must notice them, or the next attempt gets one of them.
          await sleep(10 * breaks);
        } else if (!isLateForConnection(error)) {
          throw error;
        }
      }
    }
  }

  return {
    pool,
    query,
    isDown: health.isDown,
    renew: free.renew,
    /** The database is down: callers ask another one. */
    giveUp: () => limit.each((read) => read.giveUp(doesNotAnswer)),
  };
}

/** Too many connections: of the server, the database or the login. */
function isCrowded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** No connection of the pool was free in time. */
function isLateForConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const openedAtStart = 3;
const maxBreaks = 4;
/** What is left for one more attempt. */
const shortestMs = 300;
