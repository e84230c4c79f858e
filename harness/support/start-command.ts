import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';
import { bareEnvironment } from './bare-environment.ts';
import type { CommandResult } from './command.ts';

export interface StartedCommand {
  /** Sends SIGTERM and waits for the end. */
  end: () => Promise<CommandResult>;
}

/** Starts `wartable ARGS…` as a process. It ends with the test file at the latest. */
export function startCommand(args: string[], environment: Record<string, string>): StartedCommand {
  const child = spawn(process.execPath, ['src/cli.ts', ...args], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const end = async (): Promise<CommandResult> => {
    child.kill('SIGTERM');
    const [stdout, stderr, [code]] = await ended;
    return { code: code as number | null, stdout, stderr };
  };
  atEnd(async () => void (await end()));
  return { end };
}
