import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { dayOf } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { allFacts } from '../support/feed.ts';
import { publishedRows } from '../support/published.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';
import { restlessFeed } from './restless-feed.ts';
import { recordsOf, walkedWorld } from './walked-world.ts';

/** Records that the writer sends in a second. */
const rate = 200;

/**
 * An import follows a pipe. Its backends are terminated again and again, and the primary crashes once and stays away for
 * a while. The feed shows things in several states, so it must not be applied twice. Facts and documents must equal those
 * of an undisturbed run.
 */
export const importOutage: Proof = async ({ size }) => {
  const { records, terminateMs, outageMs } =
    size === 'stated'
      ? { records: 20_000, terminateMs: 5_000, outageMs: 20_000 }
      : { records: 1_000, terminateMs: 2_000, outageMs: 1_500 };
  const lines = feedOf(records);
  // A PostgreSQL of its own, because it is stopped.
  const postgres = await startPostgres();
  try {
    return await withDatabase(postgres.url, (undisturbed) =>
      withDatabase(postgres.url, async (disturbed) => {
        const calm = startImport(undisturbed);
        calm.stdin.end(lines.join(''));
        await endWell(calm, lines.length);

        const child = startImport(disturbed);
        const over = new AbortController();
        void child.ended.finally(() => over.abort());
        child.stdin.write(lines[0]);
        await once(child.stdout, 'data');
        const halfway = ((records / rate) * 1_000) / 2;
        const [wait, outage, terminated] = await Promise.all([
          write(child.stdin, lines.slice(1)),
          crash(postgres, halfway, outageMs),
          terminateEvery(terminateMs, disturbed, over.signal),
        ]);
        const acknowledged = await endWell(child, lines.length);
        for (const state of [allFacts, publishedRows, marks] as ((client: pg.Client) => Promise<object>)[]) {
          const [expected, actual] = [await onClient(undisturbed, state), await onClient(disturbed, state)];
          assert.deepEqual(actual, expected);
        }
        const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
        assert.ok(terminated > 0, 'no backend was terminated');
        assert.ok(
          wait <= outage + 3_000,
          `the writer was blocked for ${seconds(wait)} s, the outage took ${seconds(outage)} s`,
        );
        return [
          `${lines.length} records at ${rate} a second through a pipe, ${terminated} backends terminated (every ${terminateMs / 1_000} s), one crash of the primary of ${seconds(outage)} s: facts and documents equal those of an undisturbed run, no line was refused, and the last acknowledgements say that all lines are recorded and published (${acknowledged} acknowledgements).`,
          `The writer was blocked for at most ${seconds(wait)} s at a time; must be at most 3 s longer than the outage.`,
        ];
      }),
    );
  } finally {
    await postgres.remove();
  }
};

/** Tournaments as they are played, each record a state of something. Every twentieth record adds, moves or removes a thing. */
export function feedOf(records: number): string[] {
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

const event = { players: 120, format: 'swiss+knockout', rounds: 5, start: dayOf('2025-05-03') };

interface Import extends ChildProcessByStdio<Writable, Readable, Readable> {
  ended: Promise<[number | null, string, string]>;
}

export function startImport(url: string): Import {
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

/** Nothing is refused, and the last line is recorded and published. Returns the number of acknowledgements. */
export async function endWell(child: Import, lines: number): Promise<number> {
  const [code, stdout, stderr] = await child.ended;
  assert.equal(code, 0, stderr);
  const said = stdout.trimEnd().split('\n');
  // It also says how many records changed something.
  const recorded = said.findLast((line) => line.includes('"recorded"')) ?? '';
  assert.ok(recorded.startsWith(acknowledged('recorded', lines).replace('}', ',')), recorded);
  assert.equal(said.at(-1), acknowledged('published', lines));
  assert.deepEqual(
    said.filter((line) => /"(refused|failed)"/.test(line)),
    [],
  );
  return said.length;
}

const acknowledged = (what: string, line: number): string =>
  JSON.stringify({ file: 'standard input', [what]: line });

/** Writes at the rate, as far as the pipe takes it. Returns the longest time that it was blocked. */
export async function write(pipe: Writable, lines: string[]): Promise<number> {
  const began = performance.now();
  let longest = 0;
  for (const [index, line] of lines.entries()) {
    const early = began + (index * 1_000) / rate - performance.now();
    if (early > 0) await sleep(early);
    if (pipe.write(line)) continue;
    const blocked = performance.now();
    await once(pipe, 'drain');
    longest = Math.max(longest, performance.now() - blocked);
  }
  pipe.end();
  return longest;
}

async function terminateEvery(milliseconds: number, url: string, signal: AbortSignal): Promise<number> {
  let terminated = 0;
  while (!signal.aborted) {
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
    if (!signal.aborted) terminated += await terminateBackends(url).catch(() => 0);
  }
  return terminated;
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

/** Returns how long the primary was away. */
async function crash(postgres: Postgres, afterMs: number, outageMs: number): Promise<number> {
  await sleep(afterMs);
  const began = performance.now();
  await postgres.stop('immediate');
  await sleep(Math.max(0, began + outageMs - performance.now()));
  await postgres.start();
  return performance.now() - began;
}

async function marks(client: pg.Client): Promise<unknown[]> {
  return (await client.query('select kind, key, reason from record.stale')).rows;
}
