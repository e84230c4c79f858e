import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ended } from '../../bench/serve-process.ts';
import { freePort } from '../../scripts/postgres.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { Instance } from '../install/instance.ts';
import { isInstalled } from '../install/proxies.ts';
import { withDatabase, withFolder } from '../proofs/proof.ts';
import { publishWorld } from '../support/published-world.ts';
import type { Drill, DrillOptions } from './drill.ts';
import { type Phase, startLoad } from './steady-load.ts';

// Three instances behind HAProxy, under load.

const instanceStopped: Drill = {
  name: 'instance-stopped',
  expected: 'rolling restart of three instances behind HAProxy: 0 failed of 10,000',
  run: (options) => underLoad(options, 'SIGTERM', (instance) => instance.stop()),
};

const instanceKilled: Drill = {
  name: 'instance-killed',
  expected: '`kill -9` of three instances behind HAProxy, one after the other: 0 failed of 10,000',
  run: (options) => underLoad(options, 'SIGKILL', (instance) => instance.kill()),
};

export const behindProxy: Drill[] = [instanceStopped, instanceKilled];

const sizes = { small: 500, stated: 10_000 };

async function underLoad(
  { serverUrl, size }: DrillOptions,
  signal: string,
  end: (instance: Instance) => Promise<void>,
): ReturnType<Drill['run']> {
  if (!(await isInstalled('haproxy'))) throw new Error('it needs HAProxy: apt-get install haproxy');
  return withDatabase(serverUrl, (databaseUrl) =>
    withFolder(async (folder) => {
      const key = await fill(databaseUrl);
      const ports = { api: await freePort(), site: await freePort(), ops: await freePort() };
      const instances = [1, 2, 3].map(
        (number) => new Instance(number, ports, settingsOf(databaseUrl, ports)),
      );
      await Promise.all(instances.map((instance) => instance.start()));
      const proxy = await startHaproxy(folder, ports);
      const load = startLoad(proxy.origin, [key], 4);
      try {
        const from = performance.now();
        let ends = 0;
        for (const instance of instances) {
          await end(instance);
          ends += 1;
          await instance.start();
          // The proxy sees it again before the next one ends.
          await sleep(1_000);
        }
        while (load.count() < sizes[size]) await sleep(50);
        await load.stop();
        const { requests, failed }: Phase = load.phase(from, performance.now());
        const gap = load.longestGap(from, performance.now());
        return {
          met: failed === 0,
          figures: `${failed} failed of ${requests} (${load.statuses()}), ${ends} × ${signal}, longest gap ${gap.toFixed(0)} ms`,
        };
      } finally {
        await load.stop();
        await proxy.stop();
        await Promise.all(instances.map((instance) => instance.kill()));
      }
    }),
  );
}

function settingsOf(
  databaseUrl: string,
  ports: { api: number; site: number; ops: number },
): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    CURSOR_SECRETS: 'a-secret-of-the-drills-and-of-nobody-else',
    API_PORT: String(ports.api),
    SITE_PORT: String(ports.site),
    OPS_PORT: String(ports.ops),
    DRAIN_SECONDS: '3',
    LOG_LEVEL: 'warn',
  };
}

async function fill(url: string): Promise<string> {
  const pool = createPool(url, { applicationName: 'drill', size: 2 });
  try {
    await publishWorld(pool);
    return (await createKeyForAccount(pool, 'drill')).key;
  } finally {
    await pool.end();
  }
}

async function startHaproxy(folder: string, ports: { api: number; ops: number }) {
  const port = await freePort();
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 1s
  timeout client 20s
  timeout server 10s
  retries 3
  option redispatch 1
  timeout check 2s
  retry-on conn-failure empty-response response-timeout
frontend callers
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  balance roundrobin
  option httpchk GET /ready
  default-server check port ${ports.ops} inter 500ms fall 2 rise 1
${[1, 2, 3].map((number) => `  server instance-${number} 127.0.10.${number}:${ports.api}\n`).join('')}`,
  );
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] });
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const status = await fetch(`${origin}/api/v1/clubs`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 401) break;
    await sleep(100);
  }
  return { origin, stop: () => ended(child) };
}
