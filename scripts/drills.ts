import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { machineLine, machineOf } from './machine.ts';
import { createPool } from '../src/database/pool.ts';
import { behindProxy } from '../test/drills/behind-proxy.ts';
import { clockSteps } from '../test/drills/clock-steps.ts';
import { databaseAway } from '../test/drills/database-away.ts';
import { databaseDrills } from '../test/drills/databases.ts';
import { diskFull } from '../test/drills/disk-full.ts';
import type { Drill } from '../test/drills/drill.ts';
import { freshness } from '../test/drills/freshness.ts';
import { herd } from '../test/drills/herd.ts';
import { importThroughFailover } from '../test/drills/imports.ts';
import { rateLimits } from '../test/drills/limits.ts';
import { metrics } from '../test/drills/metrics.ts';
import { migrateInterrupted } from '../test/drills/migrate-interrupted.ts';
import { overload } from '../test/drills/overload.ts';
import { pipelines } from '../test/drills/pipelines.ts';
import { revokedKey } from '../test/drills/revoked-key.ts';
import { slowReaders } from '../test/drills/slow-readers.ts';
import { endDescendants } from './descendants.ts';
import { keepEvidence, today } from './evidence.ts';
import { startPostgres } from './postgres.ts';

// Proofs that make faults on real parts on loopback, and compare what the server does with what we expect. Each prints one
// line. They need Linux, and some need Debian's packages haproxy, redis-server, libfaketime, prometheus and
// prometheus-node-exporter.

/** To add drills, add a line. */
export const drills: Drill[] = [
  ...slowReaders,
  ...pipelines,
  ...behindProxy,
  ...databaseAway,
  ...databaseDrills,
  ...freshness,
  herd,
  overload,
  revokedKey,
  ...rateLimits,
  importThroughFailover,
  diskFull,
  migrateInterrupted,
  clockSteps,
  metrics,
];

let interrupted = false;

/** Returns how many of them missed what is expected. */
export async function runDrills(names: string[], size: 'small' | 'stated'): Promise<number> {
  // Everything that a drill writes is below this folder. PostgreSQL may run as another user.
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-drill-'));
  await chmod(folder, 0o755);
  process.env['TMPDIR'] = folder;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endNow(signal, folder));
  let missed = 0;
  try {
    const postgres = await startPostgres();
    const machine = await machineText(postgres.url);
    for (const drill of drills) {
      if (!names.includes(drill.name)) continue;
      const { met, figures } = await resultOf(drill, { serverUrl: postgres.url, size });
      if (interrupted) break;
      await endDescendants([postgres.pid()]);
      if (!met) missed += 1;
      console.log(`${met ? 'met    ' : 'NOT MET'} ${drill.name}: ${figures}`);
      const { name, expected } = drill;
      if (size === 'stated')
        keepEvidence('drills', { [name]: { measuredOn: today(), machine, expected, met, figures } });
    }
    await postgres.remove();
  } finally {
    if (!interrupted) await cleanUp(folder);
  }
  return missed;
}

async function resultOf({ run }: Drill, options: Parameters<Drill['run']>[0]): ReturnType<Drill['run']> {
  try {
    return await run(options);
  } catch (error) {
    return { met: false, figures: `it failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The drill itself does not end: what it waits for is gone. */
async function endNow(signal: NodeJS.Signals, folder: string): Promise<void> {
  if (interrupted) return;
  interrupted = true;
  console.log('\nEnding what the drill has started …');
  await cleanUp(folder);
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

async function cleanUp(folder: string): Promise<void> {
  await endDescendants();
  await unmountBelow(folder);
  await rm(folder, { recursive: true, force: true });
}

/** An interrupted drill leaves its small disk mounted. */
async function unmountBelow(above: string): Promise<void> {
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  for (const [, at = ''] of mounts.split('\n').map((line) => line.split(' ')))
    if (at.startsWith(`${above}/`)) await promisify(execFile)('umount', ['--lazy', at]);
}

async function machineText(url: string): Promise<string> {
  const pool = createPool(url, { applicationName: 'drill', size: 1 });
  try {
    return machineLine(await machineOf(pool));
  } finally {
    await pool.end();
  }
}
