import { setTimeout as sleep } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { createLogger } from '../../src/serve/log.ts';
import { startServer } from '../../src/serve/server.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { publishWorld } from '../support/published-world.ts';

/** A primary with two streaming standbys. */
export interface ThreeDatabases {
  primary: Postgres;
  standbys: Postgres[];
  keys: string[];
}

export async function withThreeDatabases<T>(work: (databases: ThreeDatabases) => Promise<T>): Promise<T> {
  const primary = await startPostgres();
  try {
    const keys = await fill(primary.url);
    const standbys = [await primary.startStandby(), await primary.startStandby()];
    // The first standby lost its primary while the second was made.
    await untilValue(primary.url, 'select count(*)::int as value from pg_stat_replication', 2);
    return await work({ primary, standbys, keys });
  } finally {
    await primary.remove();
  }
}

/** Without answers in memory: every request reads. */
export async function withServer<T>(
  { primary, standbys }: Pick<ThreeDatabases, 'primary' | 'standbys'>,
  work: (apiUrl: string) => Promise<T>,
): Promise<T> {
  const asServing = ({ url }: Postgres) => url.replace('postgres@', 'serving@');
  const server = await startServer(
    {
      ...onLoopback,
      databaseUrl: asServing(primary),
      readUrls: standbys.map(asServing),
      cursorSecrets: ['a-secret-of-the-drills'],
      cacheMegabytes: 0,
    },
    createLogger('silent'),
  );
  try {
    return await work(server.apiUrl);
  } finally {
    await server.close();
  }
}

/** Stops every process of a PostgreSQL. The function that it returns lets them go on. */
export async function freeze(postgres: Postgres): Promise<() => void> {
  const rows = await ask<{ pid: number }>(postgres.url, 'select pid from pg_stat_activity');
  const pids = [postgres.pid(), ...rows.map(({ pid }) => pid)];
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // This one ended meanwhile, the connection that asked among them.
      }
    }
  };
  send('SIGSTOP');
  return () => send('SIGCONT');
}

export async function ask<R extends object>(url: string, query: string): Promise<R[]> {
  const pool = createPool(url, { applicationName: 'drill', size: 1 });
  try {
    return (await pool.query<R & Record<string, unknown>>(query)).rows;
  } finally {
    await pool.end();
  }
}

async function untilValue(url: string, query: string, expected: unknown): Promise<void> {
  for (const giveUpAt = performance.now() + 60_000; performance.now() < giveUpAt; await sleep(100)) {
    const [row] = await ask<{ value: unknown }>(url, query);
    if (row?.value === expected) return;
  }
  throw new Error(`not ${String(expected)} within a minute: ${query}`);
}

async function fill(url: string): Promise<string[]> {
  await migrate(url);
  const pool = createPool(url, { applicationName: 'drill', size: 2 });
  try {
    await publishWorld(pool, {
      tournaments: 6,
      players: 8,
      clubs: 2,
      battles: 4,
      participants: 8,
      casualBattles: 2,
    });
    await pool.query('create role serving login in role wartable_serve');
    const keys: string[] = [];
    for (let i = 0; i < 20; i += 1) keys.push((await createKeyForAccount(pool, `drill ${i}`)).key);
    return keys;
  } finally {
    await pool.end();
  }
}
