import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { databaseUrl, onServer } from '../on-server.ts';

/** What a proof needs from the outside: a PostgreSQL to make databases on, and whether it runs at the stated size. */
interface ProofSetting {
  serverUrl: string;
  size: 'small' | 'stated';
}

/** What was measured, as it goes into docs/proofs.md; throws where the bar is missed. */
export type Proof = (setting: ProofSetting) => Promise<string[]>;

/** Lends a freshly migrated database and drops it. */
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
