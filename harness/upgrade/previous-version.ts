import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { bareEnvironment } from '../support/bare-environment.ts';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

export interface Version {
  commit: string;
  /** The beginning of every command line for this version. */
  command: [string, string];
}

export const thisVersion: Version = {
  commit: 'this version',
  command: [process.execPath, path.join(root, 'src/cli.ts')],
};

export interface Upgrade {
  previous: Version;
  next: Version;
}

/**
 * Lends the two versions of an upgrade. Once there is a release, `previous` contains its commit, and the next
 * version is this one. Before the first release it says `working tree`, because a commit that changes the
 * schema cannot contain its own hash. In that case the previous version is this one, and the next version is
 * a copy of it with an invented migration.
 */
export async function withUpgrade<T>(work: (versions: Upgrade) => Promise<T>): Promise<T> {
  if ((await previousCommit()) === undefined)
    return withInventedVersion((next) => work({ previous: thisVersion, next }));
  return withPreviousFiles(async (folder, commit) => {
    await install(folder);
    return work({ previous: versionIn(folder, commit), next: thisVersion });
  });
}

/** Lends the files of the previous version without its dependencies. Fails if the clone lacks the commit. */
export async function withPreviousFiles<T>(work: (folder: string, commit: string) => Promise<T>): Promise<T> {
  const commit = await previousCommit();
  if (commit === undefined) return work(root, 'the working tree');
  await execute('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).catch((error: unknown) => {
    const advice = 'fetch the whole history: git fetch --unshallow';
    throw new Error(`this clone lacks ${commit}, which harness/upgrade/previous names; ${advice}`, {
      cause: error,
    });
  });
  return withFolder(async (folder) => {
    await extract(commit, folder);
    return work(folder, commit);
  });
}

export async function previousCommit(): Promise<string | undefined> {
  const named = (await readFile(new URL('previous', import.meta.url), 'utf8')).trim();
  if (named === 'working tree') return undefined;
  assert.match(
    named,
    /^[0-9a-f]{40}$/,
    'harness/upgrade/previous must be `working tree` or the whole id of a commit',
  );
  return named;
}

function versionIn(folder: string, commit: string): Version {
  return { commit, command: [process.execPath, path.join(folder, 'src/cli.ts')] };
}

/**
 * Lends this version with one more migration, which expands the schema as CONTRIBUTING.md says, and with what
 * else every version changes: its number and a style sheet.
 */
function withInventedVersion<T>(work: (next: Version) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    for (const name of ['src', 'migrations', 'assets', 'docs', 'deploy', 'package.json', 'openapi.json'])
      await cp(path.join(root, name), path.join(folder, name), { recursive: true });
    for (const name of ['openapi-extra.json', 'node_modules'])
      await symlink(path.join(root, name), path.join(folder, name));
    await writeFile(path.join(folder, 'migrations/0002_invented.sql'), inventedMigration);
    for (const name of ['package.json', 'openapi.json']) {
      const old = await readFile(path.join(folder, name), 'utf8');
      await writeFile(path.join(folder, name), old.replace(/"version": "[^"]+"/, '"version": "1.1.0"'));
    }
    await appendFile(path.join(folder, 'assets/style.css'), 'main { color: #123 }');
    return work(versionIn(folder, 'the invented version'));
  });
}

const inventedMigration = `
alter table record.club add column founded integer;
alter table published.club add column founded integer;
alter table published.battle add column watched boolean not null default false;
create table published.club_name (slug text collate "C" primary key, name text not null);
grant select, insert, update, delete on published.club_name to wartable_publish;
grant select on published.club_name to wartable_serve;
create index club_by_founding on published.club (founded) where founded is not null;
`;

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-previous-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Extracts a commit. This is not a worktree, because git would remember it if this process were killed. */
async function extract(commit: string, folder: string): Promise<void> {
  const archive = path.join(folder, 'previous.tar');
  await execute('git', ['-C', root, 'archive', '--output', archive, commit]);
  await execute('tar', ['-x', '-C', folder, '-f', archive]);
  await rm(archive);
}

/**
 * Installs the dependencies. Our own packages will do if they contain everything that the previous version
 * needs.
 */
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

/** Returns what runs in production: the path of each package in node_modules, and its exact content. */
async function packagesIn(folder: string): Promise<Map<string, string>> {
  const lock = JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; optional?: true; integrity?: string }>;
  };
  const production = Object.entries(lock.packages).filter(
    ([name, { dev, optional }]) => name !== '' && !dev && !optional,
  );
  return new Map(production.map(([name, { integrity = '' }]) => [name, integrity]));
}

/** Runs a command of a version and returns its output. */
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
