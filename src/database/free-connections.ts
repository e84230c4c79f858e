import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';

/** How many connections a pool may open. It shrinks for a while when the database gives no more. */
export interface FreeConnections {
  /** The database refused a connection: from now on wait for one that works. `others` use the same database. */
  shrink: (others: FreeConnections[]) => Promise<void>;
  /** Lets another pool have a connection, unless it is the only one and in use. */
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
  // The pool removes a connection that ends.
  pool.on('release', (_error, client) => void (replaced.has(client) && client.end()));

  function stopGrowing(max: number): void {
    pool.options.max = Math.max(max, 1);
    growLater();
  }

  /** One by one: each query that opens a connection may have to wait for another one after all. */
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
    // Without a connection there is none to wait for. All queries ask together, or they would take everything.
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
