import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { onClient, type Proof, withDatabase } from './proof.ts';

/**
 * A large world: how fast it is made, how fast `wartable import` reads it from a pipe, how fast it is published, and
 * the size of facts and documents on disk. WORLD_BATTLES sets another size than the stated million.
 */
export const worldSize: Proof = async ({ serverUrl, size }) => {
  const battles = Number(process.env['WORLD_BATTLES'] ?? (size === 'stated' ? 1_000_000 : 5000));
  const made = await makeAlone(battles);
  return withDatabase(serverUrl, async (url) => {
    const { seconds, said, peak, analysed } = await analysing(url, () => importFromPipe(battles, url));
    const { server, recorded, published } = await onClient(url, async (client) => {
      await client.query('checkpoint');
      const { rows } = await client.query<{ battles: number; marks: number; server: string }>(
        `select (select count(*)::int from record.battle) as battles, (select count(*)::int from record.stale) as marks,
          current_setting('server_version') || ', fsync ' || current_setting('fsync') as server`,
      );
      assert.deepEqual([rows[0]?.battles, rows[0]?.marks], [battles, 0]);
      return {
        server: rows[0]?.server,
        recorded: await weightOf(client, 'record'),
        published: await weightOf(client, 'published'),
      };
    });
    const rate = (time: number): string => `${Math.round(battles / time)} battles/s`;
    const weight = (schema: string, { bytes, tables }: Weight): string =>
      `Schema \`${schema}\`: ${(bytes / 1e6).toFixed(0)} MB, ${Math.round(bytes / battles)} bytes a battle with tables, indexes and TOAST (${tables}).`;
    const tenMillion = ((recorded.bytes + published.bytes) * 1e7) / battles / 1e9;
    return [
      `${battles} battles made alone: ${made.seconds.toFixed(0)} s (${rate(made.seconds)}), ${(made.bytes / 1e6).toFixed(0)} MB of feed, peak ${made.peak} MB of memory.`,
      `The same piped through \`wartable import -\`: ${seconds.toFixed(0)} s (${rate(seconds)}) until everything is recorded and published, peak ${peak} MB; PostgreSQL ${server}${analysed}. It said: ${said}`,
      weight('record', recorded),
      weight('published', published),
      `Extrapolated, not measured: 10 million battles would need ${tenMillion.toFixed(1)} GB in both schemas, made in ${Math.round((made.seconds * 1e7) / battles / 60)} min, recorded and published in ${Math.round((seconds * 1e7) / battles / 60)} min.`,
    ];
  });
};

interface Weight {
  bytes: number;
  tables: string;
}

async function weightOf(client: pg.Client, schema: string): Promise<Weight> {
  const { rows } = await client.query<Weight>(
    `select sum(pg_total_relation_size(oid))::float8 as bytes,
      string_agg(relname || ' ' || pg_size_pretty(pg_total_relation_size(oid)), ', '
        order by pg_total_relation_size(oid) desc) filter (where pg_total_relation_size(oid) > 1e6) as tables
    from pg_class where relnamespace = $1::regnamespace and relkind = 'r'`,
    [schema],
  );
  assert.ok(rows[0]);
  return rows[0];
}

async function makeAlone(battles: number): Promise<{ seconds: number; bytes: number; peak: number }> {
  const started = performance.now();
  const maker = startWorld(battles);
  let bytes = 0;
  maker.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const [[code], errors] = await Promise.all([once(maker, 'close'), text(maker.stderr)]);
  assert.equal(code, 0, errors);
  return { seconds: (performance.now() - started) / 1000, bytes, peak: peakOf(errors) };
}

/**
 * Updates the statistics of the planner every half minute when the server has no autovacuum. Without statistics, the
 * import keeps the plans of its first minute, when the tables were empty, and gets slower with every batch.
 */
async function analysing<T>(url: string, work: () => Promise<T>): Promise<T & { analysed: string }> {
  return onClient(url, async (client) => {
    const { rows } = await client.query<{ autovacuum: string }>('show autovacuum');
    if (rows[0]?.autovacuum === 'on') return { ...(await work()), analysed: '' };
    let analysis: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => (analysis = analysis.then(() => client.query('analyze'))), 30_000);
    try {
      return { ...(await work()), analysed: ' (autovacuum off on this server: analysed every 30 s instead)' };
    } finally {
      clearInterval(timer);
      await analysis;
    }
  });
}

async function importFromPipe(
  battles: number,
  url: string,
): Promise<{ seconds: number; said: string; peak: number }> {
  const started = performance.now();
  const maker = startWorld(battles);
  const importer = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: root,
    env: { ...environment, DATABASE_URL: url },
    stdio: [maker.stdout, 'pipe', 'pipe'],
  });
  maker.stderr.resume();
  const [[code], said, errors] = await Promise.all([
    once(importer, 'close'),
    text(importer.stdout),
    text(importer.stderr),
  ]);
  assert.equal(code, 0, errors.slice(-2000));
  return {
    seconds: (performance.now() - started) / 1000,
    said: said.split('\n', 1).join(),
    peak: peakOf(errors),
  };
}

const root = new URL('../..', import.meta.url);
const reportPeak = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;
const environment = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: `--import=${reportPeak}` };

function startWorld(battles: number) {
  const args = ['src/cli.ts', 'world', '--seed', '1', '--battles', String(battles)];
  return spawn(process.execPath, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}

const peakOf = (errors: string): number => Math.round(Number(/peak (\d+)/.exec(errors)?.[1]) / 1024);
