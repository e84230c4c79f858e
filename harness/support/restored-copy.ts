import { createPool, type Pool } from '../../src/database/pool.ts';
import { atEnd } from './at-end.ts';
import { databaseUrl, onServer } from './on-server.ts';

/**
 * Copies a database. The copy stands for a restored backup: it does not contain what happens in the original
 * from now on.
 */
export async function restoredCopy(url: string): Promise<{ url: string; pool: Pool }> {
  const original = new URL(url).pathname.slice(1);
  const name = `${original}_restored`;
  const serverUrl = databaseUrl(url, 'postgres');
  await onServer(serverUrl, `alter database ${original} allow_connections false`);
  await onServer(
    serverUrl,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${original}'`,
  );
  await onServer(serverUrl, `create database ${name} template ${original}`);
  await onServer(serverUrl, `alter database ${original} allow_connections true`);
  const restoredUrl = databaseUrl(serverUrl, name);
  const pool = createPool(restoredUrl, { applicationName: 'wartable-test', size: 2 });
  atEnd(async () => {
    await pool.end();
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
  });
  return { url: restoredUrl, pool };
}
