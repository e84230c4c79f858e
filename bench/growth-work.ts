import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { databaseUrl, onServer, withoutPassword } from '../harness/support/on-server.ts';
import { findProgram } from '../harness/measure/programs.ts';
import { onClient } from '../harness/proofs/proof.ts';
import { type World } from './world.ts';
import { root } from '../harness/support/root.ts';

// Measures what an operator does with a world, in seconds.

const month = ['--from', '2024-03-01', '--to', '2024-03-31'];

/** Returns the seconds by task. */
export async function workOf({ url, pool }: World): Promise<Record<string, number>> {
  return {
    'a migration that adds a column': await seconds(async () => {
      await pool.query(
        `begin; alter table published.battle add column grown text not null default ''; rollback`,
      );
    }),
    'wartable doctor': await seconds(() => wartable(url, 'doctor')),
    'wartable feed export of a month': await seconds(() => wartable(url, 'feed', 'export', ...month)),
    'vacuum of all battles': await seconds(async () => {
      await pool.query('vacuum (disable_page_skipping, analyze) published.battle');
    }),
  };
}

/**
 * Dumps and restores a world as docs/backups.md does, with two jobs for the restore, and returns the seconds by
 * task. Where the disk has no room for the world a second time, the world makes room if nobody needs it any
 * more; otherwise it is not restored.
 */
export async function dumpAndRestore(url: string, isNeeded: boolean): Promise<Record<string, number>> {
  const [dump, restore] = [await findProgram('pg_dump'), await findProgram('pg_restore')];
  assert.ok(dump !== undefined && restore !== undefined, 'pg_dump and pg_restore are not here');
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-bench-dump-'));
  const file = path.join(folder, 'dump');
  const name = new URL(url).pathname.slice(1);
  const server = databaseUrl(url, 'postgres');
  const { url: dumped, PGPASSWORD } = withoutPassword(url);
  const env = { ...process.env, PGPASSWORD };
  const run = (program: string, ...args: string[]) =>
    seconds(async () => void (await promisify(execFile)(program, args, { env })));
  try {
    const pg_dump = await run(dump, '--format=custom', `--file=${file}`, dumped);
    const hasRoom = await hasRoomAgain(url);
    if (!hasRoom && isNeeded) return { pg_dump, pg_restore: Number.NaN };
    if (!hasRoom) await onServer(server, `drop database ${name} with (force)`);
    await onServer(server, `create database ${name}_restored template template0`);
    const target = databaseUrl(dumped, `${name}_restored`);
    return { pg_dump, pg_restore: await run(restore, '--jobs=2', `--dbname=${target}`, file) };
  } finally {
    await onServer(server, `drop database if exists ${name}_restored with (force)`);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns true if the disk has room for the database a second time, with some left for the WAL. */
async function hasRoomAgain(url: string): Promise<boolean> {
  const { rows } = await onClient(url, (client) =>
    client.query<{ folder: string; bytes: string }>(
      `select current_setting('data_directory') as folder, pg_database_size(current_database()) as bytes`,
    ),
  );
  const { bavail, bsize } = await statfs(rows[0]?.folder ?? '/');
  return bavail * bsize > Number(rows[0]?.bytes) * 1.3;
}

/**
 * Runs a command and discards its output. The doctor exits with 1 if it finds a fault, and a database without
 * a backup is one.
 */
async function wartable(url: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'close')) as [number];
  assert.ok(code === 0 || (args[0] === 'doctor' && code === 1), `${args.join(' ')}: ${code}`);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
