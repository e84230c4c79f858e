import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type CommandResult, wartable } from './command.ts';

const cli = path.join(import.meta.dirname, '../../src/cli.ts');

/**
 * Runs a command as an unprivileged user. Root can read and remove every file, but without two of its
 * capabilities it is like any other user.
 */
export async function unprivileged(
  args: string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  if (process.getuid?.() !== 0) return wartable(args, environment);
  const limits = [
    '--bounding-set=-dac_override,-dac_read_search',
    '--inh-caps=-dac_override,-dac_read_search',
  ];
  const child = spawn('setpriv', [...limits, process.execPath, cli, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}
