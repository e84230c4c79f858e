import assert from 'node:assert/strict';
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoadOrder, LoadReport } from './load-child.ts';
import { findProgram } from './programs.ts';
import { ended } from './serve-process.ts';

/** As many as the server's pool has, and as pgbench gets. So all columns have the same number of callers. */
export const connections = 10;

/** The headers of a request, by their names. */
export interface Request {
  path: string;
  headers: Record<string, string>;
}

export interface Load {
  name: string;
  /** Asks for the targets in turn, from a random start, and returns answers a second. Any other status is an error. */
  run: (origin: string, requests: Request[], expected: 200 | 304, seconds: number) => Promise<number>;
  close: () => Promise<void>;
}

/** The same generator for all columns: wrk, or a process of Node where there is no wrk or `--quick` is given. */
export async function startLoad(quick: boolean): Promise<Load> {
  const wrk = quick ? undefined : await findProgram('wrk');
  return wrk === undefined ? startNodeLoad() : startWrkLoad(wrk);
}

async function startWrkLoad(wrk: string): Promise<Load> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-bench-wrk-'));
  const file = path.join(folder, 'targets');
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  return {
    name: 'wrk',
    run: async (origin, requests, expected, seconds) => {
      await writeFile(file, requests.map(lineOf).join(''));
      const flags = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '-s', script];
      const { stdout } = await promisify(execFile)(wrk, [...flags, origin, '--', file], { timeout: 120_000 });
      const last = stdout.trim().split('\n').at(-1) ?? '';
      const report = JSON.parse(last) as { answers: number; seconds: number; bytes: number; errors: number };
      assert.equal(report.errors, 0, `wrk counted errors: ${stdout}`);
      // wrk does not count each status. An answer with a body would be larger.
      if (expected === 304) assert.ok(report.bytes / report.answers < 1_000, 'these are no 304s');
      return report.answers / report.seconds;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function lineOf({ path: target, headers }: Request): string {
  return `${[target, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\t')}\n`;
}

function startNodeLoad(): Load {
  const caller = startCaller();
  return {
    name: 'node',
    run: async (origin, requests, expected, seconds) => {
      const { answers, seconds: taken, statuses } = await caller.call(origin, requests, { seconds });
      // Every six hours the cursors of a list change, and its tag with them: one of many requests may be a 200 then.
      const right = statuses[expected] ?? 0;
      assert.ok(right >= 0.9 * answers, JSON.stringify(statuses));
      return right / taken;
    },
    close: caller.close,
  };
}

export interface Caller {
  call: (
    origin: string,
    requests: Request[],
    until: { seconds?: number; most?: number },
  ) => Promise<LoadReport>;
  close: () => Promise<void>;
}

/** The load generator of load-child.ts. */
export function startCaller(): Caller {
  const child = fork(new URL('load-child.ts', import.meta.url));
  return {
    call: async (origin, requests, { seconds = 3_600, most = Number.MAX_SAFE_INTEGER }) => {
      const { host, port } = new URL(origin);
      const texts = requests.map(({ path: target, headers }) => {
        const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
        return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
      });
      const order: LoadOrder = { port: Number(port), requests: texts, connections, seconds, most };
      const reported = once(child, 'message');
      child.send(order);
      const [report] = (await reported) as [LoadReport];
      return report;
    },
    close: () => ended(child),
  };
}
