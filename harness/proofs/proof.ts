import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { databaseUrl, onServer } from '../support/on-server.ts';

/** The setting of a proof: a PostgreSQL server for its databases, and whether it runs at the stated size. */
interface ProofSetting {
  serverUrl: string;
  size: 'small' | 'stated';
}

/** Returns the measurements for docs/evidence. Throws if the proof misses its bar. */
export type Proof = (setting: ProofSetting) => Promise<string[]>;

/** Lends a newly migrated database and drops it afterwards. */
export async function withDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `wartable_proof_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template template0`);
  try {
    const url = databaseUrl(serverUrl, name);
    await migrate(url);
    return await work(url);
  } finally {
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
  }
}

/** Lends a connection. */
export async function onClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection makes the next statement fail. Without a listener it would end the process and hide the
  // reason.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-proof-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits for the backends of a killed process to end. */
export async function untilAlone(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (rows[0]?.others === 0) return;
    await sleep(50);
  }
  throw new Error('the backends of the killed process did not end');
}

/** Lends copies of a database, each dropped after its use. */
export function cloner(serverUrl: string, url: string) {
  const template = new URL(url).pathname.slice(1);
  return async <T>(work: (copy: string) => Promise<T>): Promise<T> => {
    const name = `wartable_proof_${randomBytes(6).toString('hex')}`;
    await onServer(serverUrl, `create database ${name} template ${template}`);
    try {
      return await work(databaseUrl(serverUrl, name));
    } finally {
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    }
  };
}

/** Returns the duration in seconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
