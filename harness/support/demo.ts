import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { welcome } from '../../src/demo/words.ts';
import type { RunningServer } from '../../src/serve/server.ts';

export interface RunningDemo {
  /** Returns what it has printed so far. */
  output: () => string;
  key: string;
  api: string;
  /** The page of the first event. */
  page: string;
  slug: string;
  /** The three requests that it prints, each as one line for a shell. */
  curls: string[];
  child: ChildProcess;
}

/** Waits until the demo has printed everything. Its standard output and its standard error must be pipes. */
export async function untilWelcomed(child: ChildProcess): Promise<RunningDemo> {
  assert.ok(child.stdout && child.stderr);
  const errors = text(child.stderr);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('Ctrl-C')) resolve();
    });
    child.once('exit', () => {
      void errors.then((said) => reject(new Error(`The demo ended: ${output}${said}`)));
    });
  });
  const first = (pattern: RegExp) => pattern.exec(output)?.[1] ?? '';
  const page = first(/^ {2}(http\S+\/tournaments\/\S+)$/m);
  return {
    output: () => output,
    key: first(/KEY=(\S+)/),
    api: `${first(/API=(\S+)/)}/api/v1`,
    page,
    slug: page.split('/').at(-1) ?? '',
    curls: output.match(/^curl .*\\\n.*$/gm) ?? [],
    child,
  };
}

/** Returns the exports that a demo with this server prints, as the environment of a program. */
export function printedExports(
  { public: addresses }: RunningServer,
  key: string,
): { API: string; KEY: string } {
  const printed = welcome({ ...addresses, key, slug: '' }, false);
  const valueOf = (name: string) => new RegExp(`^  export ${name}=(.*)$`, 'm').exec(printed)?.[1] ?? '';
  return { API: valueOf('API'), KEY: valueOf('KEY') };
}

/** Pastes the request into a shell. Returns the answer. */
export async function paste(curl: string): Promise<{ data: unknown[] }> {
  const { stdout } = await promisify(execFile)('bash', [
    '--norc',
    '-c',
    curl.replace(/^curl/, 'curl --silent --fail'),
  ]);
  return JSON.parse(stdout) as { data: unknown[] };
}

export async function endDemo(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  // npm also does this: it passes on a signal that the terminal has sent to all processes.
  setTimeout(() => child.kill(signal), 20);
  assert.deepEqual(await ended, [0, null]);
}
