import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { bareEnvironment } from './bare-environment.ts';

export interface OpenImport {
  child: ChildProcess;
  stdin: Writable;
  /** The output so far. */
  printed: { stdout: string; stderr: string };
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts `wartable import FLAGS… -` with a pipe that stays open until the test ends it. */
export function openImport(environment: Record<string, string>, ...flags: string[]): OpenImport {
  const child = spawn(process.execPath, ['src/cli.ts', 'import', ...flags, '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text));
  }
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then((code) => ({
    code,
    ...printed,
  }));
  return { child, stdin: child.stdin, printed, ended };
}

/**
 * Kills an import that is still running after two minutes, because its pipe is open and nothing else would
 * end it.
 */
export function endOf({ child, ended }: OpenImport): OpenImport['ended'] {
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  return ended.finally(() => clearTimeout(timer));
}
