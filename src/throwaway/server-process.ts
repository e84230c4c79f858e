import { execFile, spawn } from 'node:child_process';
import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What is needed to run the server of a cluster. */
export interface ServerSetup {
  /** The folder that contains everything. It is deleted at the end. */
  folder: string;
  data: string;
  owner: { uid?: number; gid?: number };
  programs: { postgres: string; pg_ctl: string };
}

export type StopMode = 'fast' | 'immediate';

/** A server that has been started, but may not answer yet. */
export interface ServerProcess {
  pid: number;
  /** Returns why the server has ended by itself, or undefined while it runs. */
  failure: () => Promise<Error | undefined>;
  stop: (mode: StopMode) => Promise<void>;
}

/**
 * Starts `postgres` itself. `flags` are its settings. It writes its messages into a file, because nobody
 * reads a pipe while the server runs.
 */
export async function spawnServer(setup: ServerSetup, flags: string[]): Promise<ServerProcess> {
  const { folder, data, owner, programs } = setup;
  const log = await newFile(logOf(setup));
  const child = spawn(programs.postgres, ['-D', data, ...flags], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
  });
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  await log.close();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    async failure() {
      if (failure !== undefined || !hasEnded()) return failure;
      return failed(child.exitCode, await messagesIn(logOf(setup)));
    },
    async stop(mode) {
      if (child.pid === undefined || hasEnded()) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
  };
}

/**
 * Starts the server with `pg_ctl`, as Windows needs it. There, `postgres` refuses to run with the rights of
 * an administrator, which `pg_ctl` drops, and no signal can ask a process to end.
 */
export async function startWithPgCtl(setup: ServerSetup, flags: string[]): Promise<ServerProcess> {
  const { folder, data, owner, programs } = setup;
  const options = { ...owner, cwd: folder };
  const own = path.join(folder, 'pg_ctl.log');
  const errors = await newFile(own);
  const starting = ['start', '-D', data, '-l', logOf(setup), '-w', '-t', patienceSeconds, '-o'];
  // Its errors go to a file, because the server inherits a pipe and would keep it open.
  const child = spawn(programs.pg_ctl, [...starting, flags.join(' ')], {
    ...options,
    windowsHide: true,
    stdio: ['ignore', 'ignore', errors.fd],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve).once('error', reject);
  });
  await errors.close();
  const code = await ended;
  const stop = async (mode: StopMode): Promise<void> => {
    const stopping = ['stop', '-D', data, '-m', mode, '-w', '-t', patienceSeconds];
    // It fails if the server has already ended.
    await promisify(execFile)(programs.pg_ctl, stopping, { ...options, windowsHide: true }).catch(() => {});
  };
  if (code !== 0) {
    // A server that was only too slow is still starting.
    await stop('immediate');
    throw failed(code, `${await messagesIn(logOf(setup))}\n${await messagesIn(own)}`);
  }
  const [pid] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n');
  // pg_ctl has waited until the server was ready.
  return { pid: Number(pid), failure: () => Promise.resolve(undefined), stop };
}

const patienceSeconds = '120';

const logOf = ({ data }: ServerSetup): string => `${data}.log`;

/** Creates the file anew, because a server may be started again in its folder. */
async function newFile(file: string): Promise<FileHandle> {
  await rm(file, { force: true });
  return open(file, 'wx');
}

const messagesIn = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

function failed(code: number | null, stderr: string): Error {
  const message = `PostgreSQL ended with code ${code} while starting`;
  return Object.assign(new Error(message), { code, stderr });
}
