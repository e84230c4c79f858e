import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { createHealth, type Health } from './health.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';
import { probe } from './probe.ts';
import { isConnectionLoss } from './unavailable.ts';

/** One PostgreSQL, for reads of one kind. */
export interface Database {
  /** Rejects at once while the database does not answer and another one does. Only for reads: it may run them twice. */
  query: <R extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ) => Promise<Pick<QueryResult<R>, 'rows'>>;
  isLeftAlone: () => boolean;
}

export interface PooledDatabase extends Database {
  pool: Pool;
}

/** Each kind of read has its own connections. */
interface KindOptions extends PoolOptions {
  /** A query that needs several attempts ends after this time. */
  queryTimeoutMs: number;
}

export interface Databases<Kind extends string> {
  /** The primary first, then the replicas. */
  of: Record<Kind, [primary: PooledDatabase, ...replicas: PooledDatabase[]]>;
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
  });
  const kinds = Object.entries<KindOptions>(options.kinds);
  const byUrl = urls.map((url, i) => {
    const neighbours = kinds.map(([, kind]) => createPool(url, kind));
    return neighbours.map((pool, k) =>
      createDatabase(pool, neighbours, databases[i] as Health, (kinds[k] as [string, KindOptions])[1]),
    );
  });
  return {
    of: Object.fromEntries(
      kinds.map(([name], k) => [name, byUrl.map((each) => each[k])]),
    ) as Databases<Kind>['of'],
    async close() {
      close();
      await Promise.all(byUrl.flat().map(({ pool }) => pool.end()));
    },
  };
}

function createDatabase(
  pool: Pool,
  neighbours: Pool[],
  health: Health,
  { size, queryTimeoutMs }: KindOptions,
): PooledDatabase {
  let connected = 0;
  pool.on('connect', () => (connected += 1));
  pool.on('remove', () => (connected -= 1));
  let growing: NodeJS.Timeout | undefined;

  /** The database gives no more connections: for a while the pool waits for one that it has. */
  async function makeDo(): Promise<void> {
    pool.options.max = Math.max(connected, 1);
    clearTimeout(growing);
    growing = setTimeout(() => {
      pool.options.max = size;
      growing = undefined;
    }, growAgainMs).unref();
    if (connected > 0) return;
    await Promise.all(neighbours.filter((each) => each !== pool).map(giveOneBack));
    await sleep(connectAgainMs);
  }

  async function query<R extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<R>> {
    const lastAttemptAt = performance.now() + queryTimeoutMs - shortestMs;
    for (let breaks = 0; ;) {
      try {
        return await health.watch(() => pool.query<R>(statement, values));
      } catch (error) {
        if (performance.now() > lastAttemptAt) throw error;
        const isReconnecting = breaks > 0 || growing !== undefined;
        if (isCrowded(error)) {
          await makeDo();
        } else if (isConnectionLoss(error) && breaks < mostBreaks) {
          breaks += 1;
          // So that the pool notices which of its other connections broke at the same time.
          await nextTurn();
        } else if (!(isReconnecting && isLateForConnection(error))) {
          throw error;
        }
      }
    }
  }

  return { pool, query, isLeftAlone: health.isLeftAlone };
}

async function giveOneBack(pool: Pool): Promise<void> {
  if (pool.idleCount === 0) return;
  const client = await pool.connect().catch(() => undefined);
  client?.release(true);
}

/** Too many connections: of the server, the database or the login. */
function isCrowded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** No connection of the pool was free in time. */
function isLateForConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

const growAgainMs = 5_000;
const connectAgainMs = 25;
const mostBreaks = 2;
/** What is left for one more attempt. */
const shortestMs = 500;
