import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { root } from '../../harness/guides/samples.ts';

const bash = ['--norc', '-euo', 'pipefail', '-c'];

/** Defines `wartable`, which in the pages is the installed command. */
const installed = `wartable() { node "${root}/src/cli.ts" "$@"; }\n`;

/** Runs a sample of a page to its end, with an empty standard input. */
export async function runSample(
  text: string,
  env: Record<string, string>,
  cwd = root,
): Promise<{ stdout: string; stderr: string }> {
  const running = promisify(execFile)('bash', [...bash, installed + text], {
    cwd,
    timeout: 290_000,
    env: { ...bareEnvironment, ...env },
  });
  running.child.stdin?.end();
  return running;
}

/**
 * Starts a sample that does not end by itself, and returns its first line. It is ended with the test file.
 */
export async function startSample(text: string, env: Record<string, string>): Promise<string> {
  const child = spawn('bash', [...bash, text], {
    cwd: root,
    // A process group of its own, so that bash and the program that it starts end together.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...bareEnvironment, ...env },
  });
  const ended = once(child, 'exit');
  atEnd(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid);
    await ended;
  });
  const lines = createInterface(child.stdout);
  const [first] = (await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error('it ended at once'))),
  ])) as [string];
  return first;
}
