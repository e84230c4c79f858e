import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { allFacts } from '../support/feed.ts';
import { publishedRows } from '../support/published.ts';
import { startDatabases } from './cache-databases.ts';
import { fillDisk, onSmallDisk } from './full-disk.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';
import { restlessFeed } from './restless-feed.ts';
import { recordsOf, walkedWorld } from './walked-world.ts';

/** The number of records that the writer sends per second. */
const rate = 200;
/** The writer may be blocked this much longer than the outage. */
const maxMoreMs = 3_000;

/**
 * Proves that an import survives outages. It follows a pipe while its database fails. The feed shows things
 * in several states, so it must not be applied twice. Facts and documents must equal those of an undisturbed
 * run. The small size has only the crashes.
 */
export const importOutage: Proof = async ({ size }) => {
  const isStated = size === 'stated';
  const lines = feedOf(isStated ? 20_000 : 1_000);
  // This proof has its own PostgreSQL, because it stops it.
  const postgres = await startPostgres();
  try {
    return await withDatabase(postgres.url, async (calm) => {
      const undisturbed = startImport(calm);
      undisturbed.stdin.end(lines.join(''));
      await endWell(undisturbed, lines.length);
      const expected = await stateOf(calm);
      const told = await withDatabase(postgres.url, (url) =>
        disturbed(url, lines, expected, () => crashes(postgres, url, lines.length, isStated)),
      );
      const figures = [told];
      if (isStated) {
        figures.push(await throughFailover(lines, expected), await throughFullDisk(lines, expected));
      }
      return [
        `${lines.length} records through each fault: no difference, none refused, all acknowledged.`,
        ...figures,
      ];
    });
  } finally {
    await postgres.remove();
  }
};

interface Disturbance {
  what: string;
  /**
   * The time for which the database was down. Undefined if that is not known, or not judged because other
   * tests run as well.
   */
  awayMs?: number;
}

/** Imports the lines while something happens to the database. */
async function disturbed(
  url: string,
  lines: string[],
  expected: State,
  disturb: (said: () => string) => Promise<Disturbance>,
): Promise<string> {
  const child = startImport(url);
  let said = '';
  child.stdin.write(lines[0]);
  await once(child.stdout, 'data');
  child.stdout.on('data', (each: Buffer) => (said += String(each)));
  const [blocked, { what, awayMs }] = await Promise.all([
    write(child.stdin, lines.slice(1)),
    disturb(() => said),
  ]);
  const acknowledged = await endWell(child, lines.length);
  assert.deepEqual(await stateOf(url), expected, `${what}: facts, documents or marks differ`);
  const figure = `${what}: ${acknowledged} acknowledgements, the writer blocked for at most ${seconds(blocked)} s at a time.`;
  assert.ok(awayMs === undefined || blocked <= awayMs + maxMoreMs, figure);
  return figure;
}

/** Terminates the backends again and again. The primary also crashes once and stays down for a while. */
async function crashes(
  postgres: Postgres,
  url: string,
  records: number,
  isStated: boolean,
): Promise<Disturbance> {
  const [everyMs, outageMs] = isStated ? [5_000, 20_000] : [2_000, 1_500];
  const endAt = performance.now() + (records / rate) * 1_000;
  const terminating = (async () => {
    let terminated = 0;
    for (; performance.now() < endAt; await sleep(everyMs))
      terminated += await terminateBackends(url).catch(() => 0);
    return terminated;
  })();
  await sleep(((records / rate) * 1_000) / 2);
  const began = performance.now();
  await postgres.stop('immediate');
  await sleep(Math.max(0, began + outageMs - performance.now()));
  await postgres.start();
  const awayMs = performance.now() - began;
  const terminated = await terminating;
  assert.ok(terminated > 0, 'no backend was terminated');
  const what = `${terminated} backends terminated, and one crash of the primary of ${seconds(awayMs)} s`;
  return isStated ? { what, awayMs } : { what };
}

/**
 * Crashes the primary, and a synchronous standby takes over. An acknowledgement means that the standby has
 * the line, too.
 */
async function throughFailover(lines: string[], expected: State): Promise<string> {
  const databases = await startDatabases();
  try {
    await databases.onPrimary(async (client) => {
      await client.query('create database feed template template0');
      await client.query("alter system set synchronous_standby_names = '*'");
      await client.query('select pg_reload_conf()');
    });
    // This address always leads to the primary.
    const url = new URL(databases.primaryUrl);
    url.username = 'postgres';
    url.pathname = '/feed';
    await migrate(url.href);
    return await disturbed(url.href, lines, expected, async () => {
      await sleep((lines.length / rate) * 500);
      const from = performance.now();
      await databases.promote();
      return { what: `a standby took over after ${seconds(performance.now() - from)} s` };
    });
  } finally {
    await databases.remove();
  }
}

/** Fills the disk of the primary for a while, four times. */
function throughFullDisk(lines: string[], expected: State): Promise<string> {
  return onSmallDisk((postgres, disk) =>
    withDatabase(postgres.url, (url) =>
      disturbed(url, lines, expected, async (said) => {
        const recorded = () => Number(/"recorded":(\d+)[^\n]*\n(?![^]*"recorded")/.exec(said())?.[1] ?? 1);
        const fillings: string[] = [];
        for (const lacking of ['tables', 'log', 'tables', 'log'] as const) {
          await sleep(8_000);
          fillings.push(await fillDisk(postgres, disk, lacking, recorded));
        }
        return { what: `a full disk (${fillings.join('; ')})` };
      }),
    ),
  );
}

/**
 * Returns tournaments as they are played, where each record is a state of something. Every twentieth record
 * adds, moves or removes a thing.
 */
function feedOf(records: number): string[] {
  const world = walkedWorld();
  const restless = restlessFeed(world);
  const feed = recordsOf(world);
  for (let seed = 1; feed.length < records; seed += 1) {
    for (const { record } of eventSeries({ seed, ...event })) {
      feed.push(record);
      if (feed.length % 20 === 0) feed.push(restless.next().value);
    }
  }
  return feed.slice(0, records).map((record) => `${JSON.stringify(record)}\n`);
}

const event = { players: 120, format: 'swiss+knockout', rounds: 5, start: dayNumber('2025-05-03') };

interface Import extends ChildProcessByStdio<Writable, Readable, Readable> {
  ended: Promise<[number | null, string, string]>;
}

function startImport(url: string): Import {
  const child = spawn(process.execPath, ['src/cli.ts', 'import', '--acknowledge', '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]): [number | null, string, string] => [code, stdout, stderr],
  );
  return Object.assign(child, { ended });
}

/**
 * Asserts that nothing is refused, and that the last line is recorded and published. Returns the number of
 * acknowledgements.
 */
async function endWell(child: Import, lines: number): Promise<number> {
  const [code, stdout, stderr] = await child.ended;
  assert.equal(code, 0, stderr);
  const said = stdout.trimEnd().split('\n');
  // The line also says how many records changed something.
  const recorded = said.findLast((line) => line.includes('"recorded"')) ?? '';
  assert.ok(recorded.startsWith(acknowledgement('recorded', lines).replace('}', ',')), recorded);
  assert.equal(said.at(-1), acknowledgement('published', lines));
  assert.deepEqual(
    said.filter((line) => /"(refused|failed)"/.test(line)),
    [],
  );
  return said.length;
}

const acknowledgement = (what: string, line: number): string =>
  JSON.stringify({ file: 'standard input', [what]: line });

/**
 * Writes at the given rate, as far as the pipe accepts it. Returns the longest time for which it was blocked.
 */
async function write(pipe: Writable, lines: string[]): Promise<number> {
  const began = performance.now();
  let longest = 0;
  for (const [index, line] of lines.entries()) {
    const early = began + (index * 1_000) / rate - performance.now();
    if (early > 0) await sleep(early);
    // An import that has ended says why.
    if (pipe.destroyed) break;
    if (pipe.write(line)) continue;
    const blocked = performance.now();
    await once(pipe, 'drain').catch(() => {});
    longest = Math.max(longest, performance.now() - blocked);
  }
  pipe.end();
  return longest;
}

async function terminateBackends(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'wartable-command'`);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

type State = Awaited<ReturnType<typeof stateOf>>;

function stateOf(url: string) {
  return onClient(url, async (client) => {
    const state = {
      facts: await allFacts(client),
      documents: await publishedRows(client),
      marks: (await client.query('select kind, key, reason from record.mark')).rows,
    };
    return JSON.parse(withoutArrivals(JSON.stringify(state))) as typeof state;
  });
}

/**
 * Removes the times at which results arrived, and the list of the latest results, because both depend on the
 * clock.
 */
const withoutArrivals = (state: string): string =>
  state
    .replaceAll(/(arrived[\\"]+: ?[\\"]+)\d{4}-[^"\\]*/g, '$1')
    .replaceAll(/(latest[\\"]+:\[).*?(\]\}[\\"])/g, '$1$2');

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
