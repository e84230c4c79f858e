import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

// Runs both clients, each in a separate process.

export interface Call {
  name: string;
  args?: unknown[];
  options?: object;
  take?: number;
}
export interface Job {
  options: { baseUrl: string; key: string; timeoutSeconds?: number; pageSize?: number };
  calls: Call[];
  atOnce?: boolean;
}
export interface Result {
  value?: unknown;
  error?: {
    kind: string;
    message: string;
    status: number;
    code: string;
    requestId?: unknown;
    retryAfter: unknown;
  };
}
export interface Client {
  name: string;
  /** The reason why a test with this client is skipped, or false. */
  skip: string | false;
  command: string[];
}

const folder = import.meta.dirname;
/** Debian's own Python, even if another one comes first in PATH. */
const python = ['/usr/bin/python3', '/usr/local/bin/python3'].find(existsSync);
const node20 = globSync([
  '/usr/bin/node',
  '/usr/local/bin/node',
  '/opt/hostedtoolcache/node/20.*/x64/bin/node',
]).find((program) => spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.startsWith('v20.'));

const script = path.join(folder, 'perform.mjs');
export const javaScript: Client = { name: 'wartable.mjs', skip: false, command: [process.execPath, script] };
export const onNode20: Client = {
  name: 'wartable.mjs on Node 20',
  skip: node20 === undefined && 'there is no Node 20 on this machine',
  command: [node20 ?? '', script],
};
export const onPython: Client = {
  name: 'wartable.py',
  skip: python === undefined && 'there is no Python on this machine',
  command: [python ?? '', path.join(folder, 'perform.py')],
};
export const clients = [javaScript, onPython];

/** Returns the results of all calls, by job. Fails if a client prints anything else. */
export async function perform(client: Client, jobs: Job[]): Promise<Result[][]> {
  const [program = '', ...args] = client.command;
  const child = spawn(program, args, { env: { PYTHONDONTWRITEBYTECODE: '1' }, timeout: 290_000 });
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(jobs));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (stderr !== '' || stdout === '') throw new Error(`${client.name} failed:\n${stderr}`);
  return JSON.parse(stdout) as Result[][];
}
