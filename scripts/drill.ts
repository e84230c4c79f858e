import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { machineLine, machineOf } from './machine.ts';
import { createPool } from '../src/database/pool.ts';
import { behindProxy } from '../test/drills/behind-proxy.ts';
import { clockSteps } from '../test/drills/clock-steps.ts';
import { crowds } from '../test/drills/crowds.ts';
import { databaseAway } from '../test/drills/database-away.ts';
import { databaseDrills } from '../test/drills/databases.ts';
import { diskFull } from '../test/drills/disk-full.ts';
import { type Drill, fromProof } from '../test/drills/drill.ts';
import { freshness } from '../test/drills/freshness.ts';
import { imports } from '../test/drills/imports.ts';
import { rateLimits } from '../test/drills/limits.ts';
import { metrics } from '../test/drills/metrics.ts';
import { migrateInterrupted } from '../test/drills/migrate-interrupted.ts';
import { overload } from '../test/drills/overload.ts';
import { revokedKey } from '../test/drills/revoked-key.ts';
import { slowReaders } from '../test/drills/slow-readers.ts';
import { upgrade } from '../test/upgrade/upgrade.ts';
import { endDescendants } from './descendants.ts';
import { startPostgres } from './postgres.ts';

// npm run drill [NAME…] [-- --small]
//
// Makes faults on real parts on loopback, and compares what the server does with what we expect. Prints one line for
// each drill and writes it into the table of docs/drills.md, unless the drills are small. Exits with 1 when an
// expectation is not met.

/** To add drills, add a line. */
const drills: Drill[] = [
  ...slowReaders,
  ...behindProxy,
  ...databaseAway,
  ...databaseDrills,
  ...freshness,
  ...crowds,
  overload,
  revokedKey,
  ...rateLimits,
  ...imports,
  diskFull,
  migrateInterrupted,
  clockSteps,
  metrics,
  fromProof(
    'two-versions',
    'an upgrade with servers of both versions side by side: 0 failed, no wrong answer',
    upgrade,
  ),
];

const { values, positionals } = parseArgs({
  options: { small: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !drills.some((drill) => drill.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no drill ${unknown.join(', ')}. The drills are ${drills.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

// Everything that a drill writes is below this folder. PostgreSQL may run as another user.
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-drill-'));
await chmod(folder, 0o755);
process.env['TMPDIR'] = folder;

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endNow(signal));

let notMet = 0;
try {
  const postgres = await startPostgres();
  const machine = await machineText(postgres.url);
  for (const drill of drills) {
    if (positionals.length > 0 && !positionals.includes(drill.name)) continue;
    const { met, figures } = await resultOf(drill, postgres.url);
    if (interrupted) break;
    await endDescendants([postgres.pid()]);
    if (!met) notMet += 1;
    console.log(`${met ? 'met    ' : 'NOT MET'} ${drill.name}: ${figures}`);
    if (!values.small) await writeRow(drill, met, figures, machine);
  }
  await postgres.remove();
} finally {
  if (!interrupted) await cleanUp();
}
process.exitCode = notMet > 0 ? 1 : 0;

async function resultOf({ run }: Drill, serverUrl: string): ReturnType<Drill['run']> {
  try {
    return await run({ serverUrl, size: values.small ? 'small' : 'stated' });
  } catch (error) {
    return { met: false, figures: `it failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The drill itself does not end: what it waits for is gone. */
async function endNow(signal: NodeJS.Signals): Promise<void> {
  if (interrupted) return;
  interrupted = true;
  console.log('\nEnding what the drill has started …');
  await cleanUp();
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

async function cleanUp(): Promise<void> {
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

async function writeRow(
  { name, expected }: Drill,
  met: boolean,
  figures: string,
  machine: string,
): Promise<void> {
  const page = new URL('../docs/drills.md', import.meta.url);
  const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
  const today = new Date().toISOString().slice(0, 10);
  const row = `| ${[name, expected, met ? 'yes' : '**no**', figures, today].map(inCell).join(' | ')} |`;
  const lines = (await readFile(page, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith('Machine: ') ? `Machine: ${machine}.` : line));
  const at = lines.findIndex((line) => line.startsWith(`| ${name} |`));
  if (at >= 0) lines[at] = row;
  else lines.splice(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, row);
  await writeFile(page, `${lines.join('\n')}\n`);
}
