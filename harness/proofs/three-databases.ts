import assert from 'node:assert/strict';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin, loginUrl } from '../support/on-server.ts';
import { publishWorld } from '../support/published-world.ts';
import { onClient } from './proof.ts';
import { startProofServer } from './serving.ts';

/** A primary with two streaming standbys. */
export interface ThreeDatabases {
  primary: Postgres;
  standbys: Postgres[];
  keys: string[];
}

export async function withThreeDatabases<T>(work: (databases: ThreeDatabases) => Promise<T>): Promise<T> {
  const primary = await startPostgres();
  try {
    const keys = await fillDatabase(primary.url, 20);
    const standbys = [await primary.startStandby(), await primary.startStandby()];
    // The first standby lost its primary while the second was created.
    await eventually(async () => {
      const { rowCount } = await onClient(primary.url, (client) =>
        client.query('select from pg_stat_replication'),
      );
      assert.equal(rowCount, 2);
    });
    return await work({ primary, standbys, keys });
  } finally {
    await primary.remove();
  }
}

/** Lends a server with an empty cache, so that every request reads. */
export async function withServer<T>(
  { primary, standbys }: Pick<ThreeDatabases, 'primary' | 'standbys'>,
  work: (apiUrl: string) => Promise<T>,
): Promise<T> {
  const asServing = ({ url }: Postgres) => loginUrl(url, 'serving');
  const server = await startProofServer(asServing(primary), {
    readUrls: standbys.map(asServing),
    cacheMegabytes: 0,
  });
  try {
    return await work(server.apiUrl);
  } finally {
    await server.close();
  }
}

/** Stops every process of a PostgreSQL. Returns a function that continues them. */
export async function freeze(postgres: Postgres): Promise<() => void> {
  const { rows } = await onClient(postgres.url, (client) =>
    client.query<{ pid: number }>('select pid from pg_stat_activity'),
  );
  const pids = [postgres.pid(), ...rows.map(({ pid }) => pid)];
  const send = (signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // This process has ended in the meantime; the one of the connection that asked always has.
      }
    }
  };
  send('SIGSTOP');
  return () => send('SIGCONT');
}

/** Creates a small world, a login `serving`, and that many keys. */
export async function fillDatabase(url: string, count: number): Promise<string[]> {
  await migrate(url);
  const pool = createPool(url, { applicationName: 'wartable-proof', size: 2 });
  try {
    await publishWorld(pool, {
      tournaments: 6,
      players: 8,
      clubs: 2,
      battles: 4,
      participants: 8,
      casualBattles: 2,
    });
    await createLogin(url, 'serving', 'in role wartable_serve');
    const keys: string[] = [];
    for (let i = 0; i < count; i += 1) keys.push((await createKeyForAccount(pool, `proof ${i}`)).key);
    return keys;
  } finally {
    await pool.end();
  }
}
