import { execFile } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  createCluster,
  nativeFolder,
  type RunningPostgres,
  startCluster,
} from '../../src/throwaway/postgres.ts';
import { onClient } from './proof.ts';

const run = promisify(execFile);
const fullMs = 6_000;

/**
 * Fills the disk for a while, and describes what happened. A table without room gets an error, while
 * PostgreSQL crashes if there is no room for its log.
 */
export async function fillDisk(
  postgres: RunningPostgres,
  disk: string,
  lacking: 'tables' | 'log',
  recorded: () => number,
): Promise<string> {
  const ballast = path.join(disk, 'ballast');
  const before = recorded();
  const until = performance.now() + fullMs;
  // What PostgreSQL deletes in the meantime is filled as well.
  while (performance.now() < until) {
    await takeRoom(ballast);
    if (lacking === 'log') await nextLogFile(postgres.url).catch(() => {});
    await sleep(200);
  }
  const during = recorded();
  const crashed = !isAlive(postgres.pid());
  await rm(ballast);
  if (crashed) {
    await postgres.stop();
    await postgres.start();
  }
  return `no room for ${lacking}: ${during - before} lines recorded meanwhile, the primary ${crashed ? 'gave up and was started again' : 'stayed up'}`;
}

/** Uses up one of the empty files that PostgreSQL keeps for its log. */
async function nextLogFile(url: string): Promise<void> {
  await onClient(url, (client) =>
    client.query("select pg_logical_emit_message(false, 'proof', 'x'), pg_switch_wal()"),
  );
}

async function takeRoom(ballast: string): Promise<void> {
  const file = await open(ballast, 'a');
  try {
    const { bavail, bsize } = await statfs(ballast);
    for (let left = bavail * bsize; left > 0; left -= block.length)
      await file.write(block.subarray(0, Math.min(left, block.length)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

const block = Buffer.alloc(65_536);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Lends a PostgreSQL whose data is on a disk of its own, of 400 MB, in memory. */
export async function onSmallDisk<T>(
  work: (postgres: RunningPostgres, disk: string) => Promise<T>,
): Promise<T> {
  if (process.getuid?.() !== 0) throw new Error('it needs root, to mount a small disk');
  const native = nativeFolder();
  if (native === undefined) throw new Error('The PostgreSQL of the tests is missing: run `npm ci`.');
  const cluster = await createCluster(native);
  const disk = path.join(cluster.folder, 'disk');
  await mkdir(disk);
  await run('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0755', 'tmpfs', disk]);
  try {
    await run('cp', ['-a', cluster.data, disk]);
    const postgres = await startCluster({ ...cluster, data: path.join(disk, 'data') });
    try {
      return await work(postgres, disk);
    } finally {
      await postgres.stop('immediate');
    }
  } finally {
    await run('umount', ['--lazy', disk]);
    await rm(cluster.folder, { recursive: true, force: true });
  }
}
