import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { bareEnvironment } from '../support/bare-environment.ts';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

export interface Version {
  commit: string;
  /** The start of every command line of this version. */
  command: [string, string];
}

export const thisVersion: Version = {
  commit: 'this version',
  command: [process.execPath, path.join(root, 'src/cli.ts')],
};

/** Lends the files of the commit that `previous` names, with its dependencies. */
export async function withPreviousVersion<T>(work: (previous: Version) => Promise<T>): Promise<T> {
  return withPreviousFiles(async (folder, commit) => {
    await install(folder);
    return work({ commit, command: [process.execPath, path.join(folder, 'src/cli.ts')] });
  });
}

/** The same without the dependencies. Fails if the clone lacks the commit. */
export async function withPreviousFiles<T>(work: (folder: string, commit: string) => Promise<T>): Promise<T> {
  const commit = (await readFile(new URL('previous', import.meta.url), 'utf8')).trim();
  assert.match(commit, /^[0-9a-f]{40}$/, 'test/upgrade/previous must be the whole id of a commit');
  await execute('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).catch((error: unknown) => {
    const advice = 'fetch the whole history: git fetch --unshallow';
    throw new Error(`this clone lacks ${commit}, which test/upgrade/previous names; ${advice}`, {
      cause: error,
    });
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-previous-'));
  try {
    await extract(commit, folder);
    return await work(folder, commit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Not a worktree: git would remember it when this process is killed. */
async function extract(commit: string, folder: string): Promise<void> {
  const archive = path.join(folder, 'previous.tar');
  await execute('git', ['-C', root, 'archive', '--output', archive, commit]);
  await execute('tar', ['-x', '-C', folder, '-f', archive]);
  await rm(archive);
}

/** Our own packages do when they contain all that the previous version runs with. */
async function install(folder: string): Promise<void> {
  const [theirs, ours] = [await packagesIn(folder), await packagesIn(root)];
  if ([...theirs].every(([name, exact]) => ours.get(name) === exact)) {
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    return;
  }
  await execute(
    'npm',
    ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline', '--no-audit'],
    {
      cwd: folder,
    },
  );
}

/** What runs in production: the place of each package in node_modules, and its exact content. */
async function packagesIn(folder: string): Promise<Map<string, string>> {
  const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; optional?: true; integrity?: string }>;
  };
  const production = Object.entries(lock.packages).filter(
    ([name, { dev, optional }]) => name !== '' && !dev && !optional,
  );
  return new Map(production.map(([name, { integrity = '' }]) => [name, integrity]));
}

/** Runs a command of a version and returns what it printed. */
export async function say(
  { commit, command }: Version,
  args: string[],
  databaseUrl: string,
): Promise<string> {
  const [program, file] = command;
  const child = spawn(program, [file, ...args], {
    env: { ...bareEnvironment, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  assert.equal(code, 0, `${commit}: wartable ${args.join(' ')}: ${stderr}`);
  return stdout;
}
