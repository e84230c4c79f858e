import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { readAudit } from '../audit/entries.ts';
import type { Pool } from '../database/pool.ts';
import { CannotRun } from '../failures/explain.ts';
import { openFolder } from './files.ts';
import { addExamples } from './help/examples.ts';
import { withSnapshot, withPool } from './with-pool.ts';

export const backupCommand = new Command('backup')
  .description('back up the database, the logins and the audit entries into a new folder')
  .argument('<folder>', 'where all backups are; only backups made by this command are removed')
  .option('--keep <number>', 'how many backups to keep', wholeNumber, 7)
  .action(async (given: string, { keep }: { keep: number }) => {
    await withPool(async (pool, { databaseUrl, adminUrl }) => {
      const folder = path.resolve(given);
      // A backup contains names of people and digests of passwords.
      process.umask(0o077);
      await openFolder(
        folder,
        `The folder ${folder} cannot be written to: give this user permission to write there.`,
      );
      await refuseOldPrograms(pool);
      await withSnapshot(pool, async (client) => {
        const { rows } = await client.query<{ isAlone: boolean }>(
          `select pg_try_advisory_xact_lock(hashtextextended('backup', 0)) as "isAlone"`,
        );
        if (!rows[0]?.isAlone)
          throw new CannotRun('Another `wartable backup` is running: wait until it has finished.');
        const origin = await originOf(pool);
        await refuseForeign(folder, origin);
        for (const name of await backupsIn(folder))
          if (name.endsWith(unfinished)) await rm(path.join(folder, name), { recursive: true });
        const name = `wartable-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
        const made = path.join(folder, name + unfinished);
        await mkdir(made);
        const dump = path.join(made, 'wartable.dump');
        try {
          await writeFile(path.join(made, originFile), JSON.stringify(origin), { flag: 'wx' });
          await call('pg_dump', databaseUrl, ['--format=custom', `--file=${dump}`]);
          await dumpRoles(adminUrl, databaseUrl, path.join(made, 'roles.sql'));
          // This comes after the dump, so that it contains at least the entries that the dump contains.
          const audit = JSON.stringify(await readAudit(pool));
          await writeFile(path.join(made, 'audit.json'), audit, { flag: 'wx' });
          // Reads the whole dump. If it was cut off, for example by a full disk, this fails.
          await run('pg_restore', ['--file=/dev/null', dump]);
        } catch (error) {
          // Otherwise it would fill the disk, which is often that of the database, until the next night.
          await rm(made, { recursive: true });
          throw error;
        }
        await rename(made, path.join(folder, name));
        const others = (await backupsIn(folder)).filter((each) => each !== name);
        const older = others.filter((each) => each < name);
        const newer = others.filter((each) => each > name);
        const tooOld = older.slice(0, Math.max(0, older.length - (keep - 1)));
        // The backup is good even if an older one cannot be removed.
        await pool.query(
          `insert into published.task values ('backup', now()) on conflict (name) do update set done_at = now()`,
        );
        const stuck: string[] = [];
        for (const each of tooOld)
          await rm(path.join(folder, each), { recursive: true }).catch(() => stuck.push(each));
        const removed = tooOld.length - stuck.length;
        const { size } = await stat(path.join(folder, name, 'wartable.dump'));
        if (newer.length > 0)
          console.error(
            `The folder has backups with a later time, which were kept: ${newer.join(', ')}. The clock of this machine is or was wrong: check it, then remove or rename them.`,
          );
        console.log(
          `${name}: ${(size / 1e6).toFixed(1)} MB, and the dump can be read; ${removed} older ${removed === 1 ? 'backup' : 'backups'} removed.`,
        );
        // Otherwise the disk would be full some day.
        if (stuck.length > 0)
          throw new CannotRun(
            `The new backup is good, but these older ones cannot be removed: ${stuck.join(', ')}. Do they belong to another user? Remove them, or give them to this one.`,
          );
      });
    });
  });

addExamples(backupCommand, [
  'Make a backup, for example every night, and keep the newest 14',
  'wartable backup --keep 14 /var/backups/wartable',
]);

const unfinished = '.part';
const ownName = /^wartable-\d{8}T\d{9}Z(\.part)?$/;
const originFile = 'origin.json';

/** Returns the names of all backups in the folder, finished or not, oldest first. */
async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => ownName.test(name)).toSorted();
}

/** The database that was backed up. A copy of an installation, such as a staging system, keeps its identity. */
interface Origin {
  installation: string | null;
  database: string;
}

async function originOf(pool: Pool): Promise<Origin> {
  const { rows } = await pool.query<Origin>(
    'select (select id from audit.installation) as installation, current_database() as database',
  );
  return rows[0] as Origin;
}

/**
 * Refuses a folder with backups of another database. They would count as backups of this one, be removed in
 * its place, and be restored by mistake.
 */
async function refuseForeign(folder: string, own: Origin): Promise<void> {
  for (const name of await backupsIn(folder)) {
    const { installation, database } = (await readOrigin(path.join(folder, name))) ?? own;
    if (installation !== own.installation || database !== own.database)
      throw new CannotRun(
        `The folder ${folder} has backups of another database, for example ${name} of ${database}: give each database a folder of its own.`,
      );
  }
}

/** Returns undefined if the backup was killed at its very beginning. */
async function readOrigin(backup: string): Promise<Origin | undefined> {
  try {
    return JSON.parse(await readFile(path.join(backup, originFile), 'utf8')) as Origin;
  } catch {
    return undefined;
  }
}

/**
 * Saves the logins. Only a superuser may read the digests of their passwords. Without the digests, new
 * passwords must be set after a restore on a new server.
 */
async function dumpRoles(adminUrl: string | undefined, databaseUrl: string, file: string): Promise<void> {
  const url = adminUrl ?? databaseUrl;
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const passwords = adminUrl === undefined ? ['--no-role-passwords'] : [];
  await call('pg_dumpall', url, ['--roles-only', `--file=${file}`, `--database=${database}`, ...passwords]);
  if (adminUrl === undefined)
    console.error('The logins were saved without passwords, because ADMIN_URL is not set.');
}

async function refuseOldPrograms(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ major: number }>(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  const needed = rows[0]?.major ?? 0;
  for (const program of ['pg_dump', 'pg_dumpall', 'pg_restore']) {
    const [, major = ''] = /(\d+)/.exec(await run(program, ['--version'])) ?? [];
    if (Number(major) < needed)
      throw new CannotRun(
        `${program} is from PostgreSQL ${major}, but the server is from PostgreSQL ${needed}: install the package postgresql-client-${needed}.`,
      );
  }
}

/**
 * Calls a program of PostgreSQL. Everyone on this machine can read the arguments of a program, so the
 * password is passed in the environment.
 */
async function call(program: string, url: string, args: string[]): Promise<void> {
  const address = new URL(url);
  const PGPASSWORD = decodeURIComponent(address.password);
  address.password = '';
  // Only Node's driver knows this parameter.
  address.searchParams.delete('uselibpqcompat');
  await run(program, [...args, `--dbname=${address.href}`], PGPASSWORD === '' ? {} : { PGPASSWORD });
}

async function run(program: string, args: string[], environment = {}): Promise<string> {
  try {
    const env = { ...process.env, ...environment };
    return (await promisify(execFile)(program, args, { env, maxBuffer: 1e8, windowsHide: true })).stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const message =
      code === 'ENOENT'
        ? `The program ${program} was not found: install the client programs of PostgreSQL.`
        : `${program} failed, so no backup was made: ${stderr?.trim() || String(error)}`;
    throw new CannotRun(message, { cause: error });
  }
}

function wholeNumber(given: string): number {
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new InvalidArgumentError('It must be a number from 1 to 9999.');
  return Number(given);
}
