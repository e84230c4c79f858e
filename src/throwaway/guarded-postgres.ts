import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CannotRun } from '../failures/explain.ts';
import { nativeFolder } from './postgres.ts';
import type { Reason } from './reason.ts';

export interface GuardedPostgres {
  url: string;
  /** Stops the server and deletes its data. The same happens if this process ends in any other way. */
  remove: () => Promise<void>;
}

interface User {
  command: string;
  /** Advice on how to get a PostgreSQL without ours. */
  otherWay?: string;
}

/**
 * Starts a throwaway PostgreSQL under a guard process. `onStarted` receives the function that ends it before
 * PostgreSQL answers.
 */
export async function startGuardedPostgres(
  user: User,
  onStarted: (remove: () => Promise<void>) => void,
): Promise<GuardedPostgres> {
  const native = nativeFolder();
  if (native === undefined) throw new CannotRun(noPostgres(user));
  const guardFile = path.join(import.meta.dirname, `postgres-guard${path.extname(import.meta.filename)}`);
  // The guard has its own session, because Ctrl-C or a closed terminal must not reach PostgreSQL before this
  // process is done.
  const guard = spawn(process.execPath, [guardFile, native], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  guard.stdin.on('error', () => {});
  const ended = once(guard, 'close');
  const remove = async (): Promise<void> => {
    guard.stdin.end();
    await ended;
  };
  onStarted(remove);
  const [line] = (await Promise.race([once(createInterface(guard.stdout), 'line'), ended])) as unknown[];
  const { url, problem, advice } = (typeof line === 'string' ? JSON.parse(line) : {}) as {
    url?: string;
  } & Partial<Reason>;
  if (url === undefined)
    throw new CannotRun(notStarted(user, { problem: problem ?? 'its guard ended', advice }));
  return { url, remove };
}

/** Exported for its test. */
export function noPostgres(
  { command, otherWay }: User,
  platform = `${process.platform}-${process.arch}`,
): string {
  const other = otherWay === undefined ? '' : `${otherWay}, or `;
  // Windows on ARM also runs programs for x64, and there is a PostgreSQL for those.
  return platform === 'win32-arm64'
    ? `There is no PostgreSQL for Windows on ARM: ${other}install the x64 version of Node from https://nodejs.org, then install Wartable again with it.`
    : `There is no PostgreSQL for the ${command}: ${other}install Wartable again with its optional dependencies (\`npm install --include=optional\`).`;
}

function notStarted({ command, otherWay }: User, { problem, advice }: Reason): string {
  const remedy = advice ?? otherWay ?? 'free memory and disk space';
  return `The PostgreSQL of the ${command} did not start (${problem}): ${remedy}, then try again.`;
}
