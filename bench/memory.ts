import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readConfig } from '../src/config/config.ts';
import { memoryBar } from './bars.ts';
import { endpointNamed, keysOf } from './endpoints.ts';
import { startCaller } from '../harness/measure/load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { startServe } from '../harness/measure/serve-process.ts';
import { withWorld, sizesLine } from './world.ts';
import { root } from '../harness/support/root.ts';

const distinctAnswers = 200_000;
const turns = 20;

/**
 * Measures the resident memory of a server over a million requests (`--requests`) with 200,000 distinct
 * answers.
 */
export const memory: Measurement = (options) =>
  withWorld(options, async (world) => {
    const machine = machineLine(await machineOf(world.pool));
    const cacheMb = readConfig({ DATABASE_URL: world.url }).cacheMegabytes;
    const endpoint = endpointNamed('player battles');
    const keys = 'select player as key from published.player_battle group by player';
    const players = await keysOf(world.pool, { ...endpoint, keys }, distinctAnswers);
    const limits = Math.min(100, Math.ceil(distinctAnswers / players.length));
    // Each page size is an answer of its own.
    const paths = Array.from({ length: limits }, (_, i) => i + 1).flatMap((limit) =>
      players.map((id) => `${endpoint.path(id)}?limit=${limit}`),
    );
    const headers = { authorization: `Bearer ${world.key}` };
    const encodings = ['identity', 'gzip', 'br'];
    const requests = paths
      .slice(0, distinctAnswers)
      .map((path, i) => ({ path, headers: { ...headers, 'accept-encoding': encodings[i % 3] ?? '' } }));
    // The command is built and started as it is installed, with its flags, because running TypeScript also
    // takes memory.
    const server = await startServe(world.url, {}, await build());
    const caller = startCaller();
    try {
      const resident = [await residentMb(server.pid)];
      const each = Math.ceil(options.requests / turns);
      for (let turn = 0; turn < turns; turn += 1) {
        const from = (turn * each) % requests.length;
        const part = [...requests.slice(from), ...requests.slice(0, from)].slice(0, each);
        const { statuses } = await caller.call(server.origin, part, { most: each });
        assert.deepEqual(statuses, { 200: each });
        resident.push(await residentMb(server.pid));
        options.say(`${(turn + 1) * each} requests: ${resident.at(-1)} MB`);
      }
      const peak = Math.max(...resident);
      const beside = `${peak - cacheMb} MB beside CACHE_MB (${cacheMb}), at most ${memoryBar}`;
      return {
        lines: [
          machine,
          sizesLine(world.sizes),
          `${turns * each} requests, ${requests.length} distinct answers: at most ${peak} MB`,
          beside,
          `Resident MB, from the start to the end: ${resident.join(' ')}`,
        ],
        figures: {
          machine,
          requests: turns * each,
          distinctAnswers: requests.length,
          cacheMb,
          peak,
          resident,
        },
        failures: peak - cacheMb > memoryBar ? [beside] : [],
      };
    } finally {
      await caller.close();
      await server.close();
    }
  });

async function build(): Promise<[string]> {
  await promisify(execFile)('npm', ['run', 'build'], { cwd: root });
  return ['bin/wartable.cjs'];
}

async function residentMb(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1024);
}
