import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CannotRun } from '../failures/explain.ts';
import { nativeFolder } from './postgres.ts';

export interface GuardedPostgres {
  url: string;
  /** Stops it and deletes its data. The same happens when this process ends in any other way. */
  remove: () => Promise<void>;
}

interface User {
  command: string;
  /** To have a PostgreSQL without us. */
  otherWay?: string;
}

/** Starts a throwaway PostgreSQL under a guard of its own. `onStarted` gets its end before it answers. */
export async function startGuardedPostgres(
  user: User,
  onStarted: (remove: () => Promise<void>) => void,
): Promise<GuardedPostgres> {
  const native = nativeFolder();
  if (native === undefined) throw new CannotRun(noPostgres(user));
  const guardFile = path.join(import.meta.dirname, `postgres-guard${path.extname(import.meta.filename)}`);
  // With a session of its own: Ctrl-C and a closed terminal must not reach PostgreSQL before this process is done.
  const guard = spawn(process.execPath, [guardFile, native], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  guard.stdin.on('error', () => {});
  const ended = once(guard, 'close');
  const remove = async (): Promise<void> => {
    guard.stdin.end();
    await ended;
  };
  onStarted(remove);
  const [line] = (await Promise.race([once(createInterface(guard.stdout), 'line'), ended])) as unknown[];
  const { url, problem } = (typeof line === 'string' ? JSON.parse(line) : {}) as {
    url?: string;
    problem?: string;
  };
  if (url === undefined) throw new CannotRun(notStarted(user, problem ?? 'its guard ended'));
  return { url, remove };
}

const noPostgres = ({ command, otherWay }: User): string =>
  `There is no PostgreSQL for the ${command}: ${otherWay === undefined ? '' : `${otherWay}, or `}install Wartable again with its optional dependencies (\`npm install --include=optional\`).`;

const notStarted = ({ command, otherWay = 'free memory and disk space' }: User, problem: string): string =>
  `The PostgreSQL of the ${command} did not start (${problem}): ${otherWay}, then try again.`;
