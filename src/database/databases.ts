import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { createHealth, doesNotAnswer, type DatabaseHealth } from './health.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
import { probe } from './probe.ts';
import { Read, type Statement } from './read.ts';
import { createFreeConnections, type FreeConnections } from './free-connections.ts';
import { TimeLimit } from '../availability/time-limit.ts';
import { isConnectionLoss } from '../availability/unavailable.ts';

/** One PostgreSQL server, with the connections that one kind of read uses. */
export interface Database {
  /**
   * Returns the rows. Rejects at once while this database does not answer but another one does. Use it only
   * for reads, because a statement may run twice.
   */
  query: <R extends QueryResultRow>(statement: Statement, values?: unknown[]) => Promise<R[]>;
  isDown: () => boolean;
}

export interface PooledDatabase extends Database {
  /**
   * The pool behind `query`. It has no time limit for queries, so code that uses it directly must set one.
   */
  pool: Pool;
  /** Replaces all connections. Reads that begin after this call use new ones. */
  renew: () => void;
}

/** Settings for one kind of read. Each kind has its own connections. */
interface KindOptions extends PoolOptions {
  /**
   * Time limit for one attempt at a query. A failed query is tried again only while at least 300 ms of this
   * time, counted from its start, are left.
   */
  queryTimeoutMs: number;
}

export interface Databases<Kind extends string> {
  /** The databases for each kind of read: the primary first, then the replicas. */
  of: Record<Kind, [primary: PooledDatabase, ...replicas: PooledDatabase[]]>;
  /**
   * Opens the first connections to each database that answers, so that a burst right after the start need not
   * wait for them.
   */
  open: () => Promise<void>;
  close: () => Promise<void>;
}

export interface DatabasesOptions<Kind extends string> {
  primaryUrl: string;
  replicaUrls: string[];
  kinds: Record<Kind, KindOptions>;
  onChange: (database: number, answers: boolean) => void;
}

/** Creates the databases. All kinds of reads share what is known about the health of a database. */
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
      return createDatabase({ pool, free, others, health: databases[i] as DatabaseHealth, ...kind });
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
  /** The connections of the other kinds to the same database. */
  others: FreeConnections[];
  health: DatabaseHealth;
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
          // Other connections break at the same time. Give the pool time to notice, or the next attempt may
          // get one of them.
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
    /** Called when the database goes down, so that callers ask another one. */
    giveUp: () => limit.each((read) => read.giveUp(doesNotAnswer)),
  };
}

/** Returns true if the server, the database or the login has too many connections. */
function isCrowded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** Returns true if no connection of the pool became free in time. */
function isLateForConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const openedAtStart = 3;
const maxBreaks = 4;
/** The time that must be left to make one more attempt worthwhile. */
const shortestMs = 300;
