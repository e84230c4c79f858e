import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { bareEnvironment } from './bare-environment.ts';
import { assertNoKey } from './no-key.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `wartable ARGS…` as a process, with another program in front if given, and waits for its end. */
export async function wartable(
  args: string[],
  environment: Record<string, string>,
  input = '',
  front: string[] = [],
): Promise<CommandResult> {
  const [program = '', ...rest] = [...front, process.execPath, 'src/cli.ts', ...args];
  const child = spawn(program, rest, {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, ...environment },
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  // Only `keys create` and `keys rotate` print a key, and only to standard output.
  assertNoKey(stderr);
  return { code, stdout, stderr };
}
