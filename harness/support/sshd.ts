import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './postgres.ts';

const run = promisify(execFile);
const program = '/usr/sbin/sshd';

/** The reason why a test with sshd is skipped, or false if it runs. */
export const withoutSshd = await access(program).then(
  () => false as const,
  () => 'Debian’s openssh-server is not installed',
);

/**
 * Starts a real sshd on loopback, with one key that may only run this shell command. `call` contains the
 * arguments of `ssh`.
 */
export async function startSshd(
  folder: string,
  command: string,
): Promise<{ call: string[]; stop: () => void }> {
  const at = (name: string): string => path.join(folder, name);
  for (const key of ['host', 'platform'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
  const script = at('forced');
  await writeFile(script, `#!/bin/sh\n${command}\n`);
  await chmod(script, 0o755);
  await writeFile(at('keys'), `restrict,command="${script}" ${await readFile(at('platform.pub'), 'utf8')}`);
  const port = await freePort();
  await writeFile(
    at('config'),
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${at('host')}\nAuthorizedKeysFile ${at('keys')}
PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nLogLevel INFO\n`,
  );
  // The folder for privilege separation, which on Debian the service creates when it starts.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const sshd = spawn(program, ['-D', '-e', '-f', at('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  await untilItListens(sshd);
  const options = [
    'StrictHostKeyChecking=no',
    `UserKnownHostsFile=${at('known')}`,
    'BatchMode=yes',
    'LogLevel=ERROR',
  ];
  const call = [
    '-i',
    at('platform'),
    '-p',
    String(port),
    ...options.flatMap((option) => ['-o', option]),
    `${userInfo().username}@127.0.0.1`,
  ];
  return { call, stop: () => void sshd.kill() };
}

async function untilItListens({ stderr }: ChildProcess): Promise<void> {
  if (stderr)
    for await (const line of createInterface(stderr)) if (line.startsWith('Server listening')) return;
  throw new Error('sshd ended');
}
