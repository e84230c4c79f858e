import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ended } from '../../bench/serve-process.ts';
import { freePort } from '../../scripts/postgres.ts';
import { createLogger } from '../../src/serve/log.ts';
import { startServer } from '../../src/serve/server.ts';
import { withFolder } from '../proofs/proof.ts';
import { wartable } from '../support/command.ts';
import { alertRules, dashboardPanels, monitoringFolder, selectorsIn } from '../support/monitoring.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { endOf, openImport } from '../support/open-import.ts';
import { startRedis } from '../support/redis.ts';
import type { Drill } from './drill.ts';
import { startLoad } from './steady-load.ts';
import { freeze, type ThreeDatabases, withThreeDatabases } from './three-databases.ts';

// The dashboard and the alerts that we ship, in a real Prometheus. Only the times that an alert waits are shorter.

export const metrics: Drill = {
  name: 'metrics',
  expected:
    'a real Prometheus: every query of the dashboard has data, no alert fires; with faults the right alerts fire, and every series of the alerts exists',
  run: () => withThreeDatabases((databases) => withFolder((folder) => drill(databases, folder))),
};

async function drill(databases: ThreeDatabases, folder: string): ReturnType<Drill['run']> {
  await checkFiles();
  const { primary, standbys, keys } = databases;
  const asServing = (url: string) => url.replace('postgres@', 'serving@');
  const redis = await startRedis();
  const server = await startServer(
    {
      ...onLoopback,
      databaseUrl: asServing(primary.url),
      readUrls: standbys.map(({ url }) => asServing(url)),
      cursorSecrets: ['a-secret-of-the-drills'],
      rateLimit: 100_000,
      redisUrl: redis.url,
    },
    createLogger('silent'),
  );
  const textfiles = path.join(folder, 'textfiles');
  await chmod(folder, 0o755);
  await mkdir(textfiles);
  const settings = { DATABASE_URL: primary.url };
  const nightly = await wartable(
    ['import', '--metrics-file', path.join(textfiles, 'nightly.prom'), '-'],
    settings,
    club('nightly'),
  );
  if (nightly.code !== 0) throw new Error(nightly.stderr);
  const live = openImport(settings, '--metrics-file', path.join(textfiles, 'live.prom'));
  let clubs = 0;
  const feeding = setInterval(() => live.stdin.write(club(`live-${(clubs += 1)}`)), 200);
  const nodePort = await freePort();
  const exporter = spawn(
    'prometheus-node-exporter',
    [
      `--web.listen-address=127.0.0.1:${nodePort}`,
      '--collector.disable-defaults',
      '--collector.textfile',
      `--collector.textfile.directory=${textfiles}`,
    ],
    { stdio: 'ignore' },
  );
  const prometheus = await startPrometheus(folder, new URL(server.opsUrl).host, `127.0.0.1:${nodePort}`);
  const load = startLoad(server.apiUrl, keys, 4);
  const fired: string[] = [];
  /** Waits until the alert fires, and notes how many seconds after its fault. */
  const untilFiring = async (alert: string, faultAt: number) => {
    await until(90_000, `${alert} does not fire`, async () => (await prometheus.firing()).includes(alert));
    fired.push(`${alert.replace('Wartable', '')} ${((performance.now() - faultAt) / 1_000).toFixed(0)} s`);
  };
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await server.close();
    isClosed = true;
  };
  try {
    const queries = (await dashboardPanels()).flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    );
    const withoutData = async () => {
      const empty: string[] = [];
      for (const { title, expr } of queries)
        if (!(await prometheus.hasNumber(asked(expr)))) empty.push(title);
      return empty;
    };
    await until(60_000, 'the dashboard has no data', async () => (await withoutData()).length === 0).catch(
      async () => {
        throw new Error(`no data in ${(await withoutData()).join(', ')}`);
      },
    );
    await sleep(5_000);
    const empty = await withoutData();
    const falseAlarms = await prometheus.firing();

    const frozenAt = performance.now();
    const thaw = await freeze(standbys[0] ?? primary);
    await untilFiring('WartableDatabaseDown', frozenAt).finally(thaw);
    clearInterval(feeding);
    const killedAt = performance.now();
    live.child.kill('SIGKILL');
    await redis.kill();
    await untilFiring('WartableLimitsNotShared', killedAt);
    const stoppedAt = performance.now();
    for (const standby of standbys) await standby.stop('immediate');
    await primary.stop('immediate');
    for (const alert of ['WartableNotReady', 'WartableDeaf', 'WartableErrors'])
      await untilFiring(alert, stoppedAt);
    await untilFiring('WartableImportSilent', killedAt);
    const missing: string[] = [];
    for (const { alert, expr } of await alertRules()) {
      for (const selector of selectorsIn(expr))
        if (!(await prometheus.hasSeries(selector))) missing.push(`${alert}: ${selector}`);
    }
    await load.stop();
    const closedAt = performance.now();
    await close();
    await untilFiring('WartableDown', closedAt);
    return {
      met: empty.length + falseAlarms.length + missing.length === 0,
      figures: `${queries.length} queries, ${empty.length} without data; false alarms: ${falseAlarms.join() || 'none'}; series that an alert misses: ${missing.join() || 'none'}; fired this long after their fault, with a wait of 3 s: ${fired.join(', ')}`,
    };
  } finally {
    clearInterval(feeding);
    await load.stop();
    await prometheus.close();
    await ended(exporter);
    await endOf(live, 0);
    await close();
    await redis.kill();
  }
}

const club = (slug: string) => `${JSON.stringify({ kind: 'club', slug, name: slug })}\n`;

/** As Grafana asks it. */
function asked(expr: string): string {
  return expr.replaceAll('$job', 'wartable').replaceAll('$__rate_interval', '10s');
}

async function checkFiles(): Promise<void> {
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(program, args, { cwd: monitoringFolder });
  await run('promtool', 'check', 'rules', 'alerts.yml');
  await run('promtool', 'check', 'config', 'prometheus.yml');
  await run('promtool', 'test', 'rules', 'alerts.test.yml');
  // Its absence is noticed here, before anything is started.
  await run('prometheus-node-exporter', '--version');
}

interface Prometheus {
  /** Whether the query gives a number now. */
  hasNumber: (query: string) => Promise<boolean>;
  /** Whether it ever got such a series. */
  hasSeries: (selector: string) => Promise<boolean>;
  firing: () => Promise<string[]>;
  close: () => Promise<void>;
}

async function startPrometheus(folder: string, wartableTarget: string, node: string): Promise<Prometheus> {
  const shipped = (name: string) => readFile(path.join(monitoringFolder, name), 'utf8');
  await writeFile(
    path.join(folder, 'alerts.yml'),
    (await shipped('alerts.yml')).replaceAll(/for: \d+m$/gm, 'for: 3s'),
  );
  const config = (await shipped('prometheus.yml'))
    .replaceAll('_interval: 15s', '_interval: 1s')
    .replace(/targets: \[127\.0\.10\..*\]/, `targets: ["${wartableTarget}"]`)
    .replace('127.0.0.1:9100', node);
  await writeFile(path.join(folder, 'prometheus.yml'), config);
  await promisify(execFile)('promtool', ['check', 'config', path.join(folder, 'prometheus.yml')]);
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${path.join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const origin = `http://127.0.0.1:${port}`;
  const ask = async <T>(what: string, parameters: Record<string, string>): Promise<T> => {
    const answer = await fetch(`${origin}/api/v1/${what}?${new URLSearchParams(parameters).toString()}`);
    const body = (await answer.json()) as { status: string; error?: string; data: T };
    if (body.status !== 'success') throw new Error(`${parameters['query']}: ${body.error}`);
    return body.data;
  };
  await until(30_000, 'Prometheus does not start', () =>
    fetch(`${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    async hasNumber(query) {
      const { result } = await ask<{ result: { value: [number, string] }[] }>('query', { query });
      return result.some(({ value: [, number] }) => number !== 'NaN');
    },
    hasSeries: async (selector) => (await ask<unknown[]>('series', { 'match[]': selector })).length > 0,
    async firing() {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>(
        'alerts',
        {},
      );
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    close: () => ended(child),
  };
}

async function until(withinMs: number, fault: string, check: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = performance.now() + withinMs; !(await check()); await sleep(250))
    if (performance.now() > giveUpAt) throw new Error(`${fault} within ${withinMs / 1_000} s`);
}
