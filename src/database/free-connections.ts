import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';

/**
 * Controls how many connections a pool may open. The number shrinks for a while when the database refuses
 * more.
 */
export interface FreeConnections {
  /**
   * Call this when the database has refused a connection: for now, the pool makes do with the connections
   * that it has. If it has none, `others`, the pools for the same database, give back one each.
   */
  shrink: (others: FreeConnections[]) => Promise<void>;
  /** Closes a connection so that another pool can open one, unless it is the only one and in use. */
  giveOneBack: () => Promise<void>;
  /** Replaces all connections. Queries that begin after this call use new ones. */
  renew: () => void;
}

export function createFreeConnections(pool: Pool, size: number): FreeConnections {
  const connected = new Set<PoolClient>();
  const replaced = new WeakSet<PoolClient>();
  let growing: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;
  pool.on('connect', (client) => connected.add(client));
  pool.on('remove', (client) => connected.delete(client));
  // When a replaced connection ends, the pool removes it.
  pool.on('release', (_error, client) => void (replaced.has(client) && client.end()));

  function stopGrowing(max: number): void {
    pool.options.max = Math.max(max, 1);
    growLater();
  }

  /**
   * Lets the pool grow by one connection at a time, because each query that tries to open one may be refused
   * and have to wait for another one after all.
   */
  function growLater(): void {
    clearTimeout(growing);
    growing = setTimeout(() => {
      pool.options.max += 1;
      if (pool.options.max < size) growLater();
    }, growAgainMs).unref();
  }

  async function shrink(others: FreeConnections[]): Promise<void> {
    stopGrowing(connected.size);
    if (connected.size > 0) return;
    // The pool has no connection to wait for, so it needs one from another pool. All its queries share this
    // request, because otherwise they would take every connection there is.
    asking ??= Promise.all(others.map((other) => other.giveOneBack()))
      .then(() => sleep(connectAgainMs))
      .finally(() => (asking = undefined));
    await asking;
  }

  async function giveOneBack(): Promise<void> {
    if (connected.size < 2 && pool.idleCount === 0) return;
    stopGrowing(connected.size - 1);
    await endOne();
  }

  async function endOne(): Promise<void> {
    const client = await pool.connect().catch(() => undefined);
    client?.release(true);
  }

  function renew(): void {
    for (const client of connected) replaced.add(client);
    for (let idle = pool.idleCount; idle > 0; idle -= 1) void endOne();
  }

  return { shrink, giveOneBack, renew };
}

const growAgainMs = 2_000;
const connectAgainMs = 25;
