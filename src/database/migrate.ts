import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { settleCompression } from './compression.ts';
import { DatabaseFault } from './explain.ts';
import { grantMissingRights } from './group-rights.ts';
import { LockWatch } from './lock-watch.ts';
import { createPool } from './pool.ts';
import { onClient } from './on-client.ts';
import { closeToOthers, settleDatabaseRights } from './rights.ts';
import { refuseOldPostgres } from './version.ts';

export interface MigrateOptions {
  /**
   * The logins that may connect afterwards: only ours (`private`), or all as before (`public`). The default
   * is `private` for a new database, and `public` for any other.
   */
  connectPrivilege?: 'private' | 'public' | undefined;
  /** Tests set these. */
  folder?: string;
  patienceMs?: number;
  /**
   * Called with a line about each session that the migration waits for. The default writes to standard error.
   */
  tell?: (line: string) => void;
}

export interface Migrated {
  /** The names of the migrations that ran. */
  ran: string[];
  /** The rights that the group roles lacked. */
  granted: string[];
  /**
   * Migrations from a newer version. If there are any, nothing was changed, because only that version knows
   * what is missing.
   */
  unknown: string[];
  /** The logins that can no longer connect. Absent if the database stays open to every login. */
  closedTo?: string[];
}

/**
 * Brings a database to the newest schema, and gives the group roles the rights that they lack. It is safe to
 * run twice, and in several processes at once: the second one retries until the first one is done.
 *
 * It does not wait long for a table either, because every request that needs the table would wait behind it.
 * It gives up, lets the requests pass, and tries again. It reports the session that holds the table.
 *
 * It must not wait for the advisory lock, because that wait holds a snapshot, and CREATE INDEX CONCURRENTLY
 * waits for snapshots.
 */
export async function migrate(
  databaseUrl: string,
  {
    connectPrivilege,
    folder = migrationsFolder,
    patienceMs = 120_000,
    tell = console.error,
  }: MigrateOptions = {},
): Promise<Migrated> {
  const giveUpAt = Date.now() + patienceMs;
  await onClient(databaseUrl, refuseOldPostgres);
  const watching = createPool(databaseUrl, { applicationName, size: 1 });
  const watch = new LockWatch(watching, {
    tellAfterMs: 100,
    // The watch only reports sessions. It ends none, because one of ours may be a server.
    endAfterMs: Infinity,
    // Several migrations at once are normal and wait for each other for a moment, so they are not reported.
    tell: (line) => line.includes(`(${applicationName},`) || tell(line),
  });
  const ran: string[] = [];
  try {
    for (;;) {
      try {
        const { pending, unknown } = await onClient(databaseUrl, (client) => readMigrations(client, folder));
        if (unknown.length > 0 && pending.length === 0) return { ran, granted: [], unknown };
        ran.push(...(await onWatchedClient(databaseUrl, watch, (client) => runMigrations(client, folder))));
        await settleDatabaseRights(databaseUrl);
        await settleCompression(databaseUrl);
        const granted = await grantMissingRights(databaseUrl);
        const isNew = ran.some((name) => name.startsWith('0001_'));
        if ((connectPrivilege ?? (isNew ? 'private' : 'public')) === 'public')
          return { ran, granted, unknown: [] };
        return { ran, granted, unknown: [], closedTo: await closeToOthers(databaseUrl) };
      } catch (error) {
        if (!isPassing(error) && !(await isRoleThere(databaseUrl, error))) {
          const fault = await faultOf(databaseUrl, error);
          throw fault === undefined ? error : new DatabaseFault(fault, { cause: error });
        }
        if (Date.now() > giveUpAt)
          throw new DatabaseFault(isInUse(error) ? stillInUse : stillRunning, { cause: error });
        await sleep(isInUse(error) ? 1_000 : 50 + Math.random() * 200);
      }
    }
  } finally {
    await watching.end();
  }
}

interface Migrations {
  ran: string[];
  pending: string[];
  /** Migrations that ran but that this version does not know. */
  unknown: string[];
}

export async function readMigrations(
  pool: Pick<pg.Pool, 'query'>,
  folder = migrationsFolder,
): Promise<Migrations> {
  const { rows: listed } = await pool.query(`select where to_regclass('record.migration') is not null`);
  const { rows } =
    listed.length === 0
      ? { rows: [] }
      : await pool.query<{ name: string }>('select name from record.migration order by name');
  const ran = rows.map(({ name }) => name);
  const files = await readdir(folder);
  const known = files.flatMap((file) => /^(\d{4}_.*)\.sql$/.exec(file)?.[1] ?? []).toSorted();
  return {
    ran,
    pending: known.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !known.includes(name)),
  };
}

async function runMigrations(dbClient: pg.Client, dir: string): Promise<string[]> {
  const ran = await runner({
    dbClient,
    dir,
    // Ignore every file that is not a migration, such as schema.sql.
    ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
    direction: 'up',
    migrationsTable: 'migration',
    migrationsSchema: 'record',
    createMigrationsSchema: true,
    // The runner throws its errors as well. We do not need its other messages.
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  return ran.map((migration) => migration.name);
}

function onWatchedClient<T>(
  databaseUrl: string,
  watch: LockWatch,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const settings = { application_name: applicationName, lock_timeout: longestLockWaitMs };
  return onClient(
    databaseUrl,
    async (client) => {
      const { rows } = await client.query<{ pid: number; server: string }>(
        'select pg_backend_pid() as pid, pg_postmaster_start_time()::text as server',
      );
      return watch.watch({ client, ...rows[0] }, () => work(client));
    },
    settings,
  );
}

const applicationName = 'wartable-migrate';
const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Shorter than the time that a request may wait for its read (docs/limits.md). */
const longestLockWaitMs = 200;
const quiet = () => {};
const stillRunning = 'another migration has run for two minutes: wait for its end, then try again';
const stillInUse =
  'other sessions have used the tables for two minutes: wait for the end of a dump, close open transactions, then try again';

/** Explains errors of the runner that carry no code, and a missing right that only a superuser can give. */
async function faultOf(databaseUrl: string, error: unknown): Promise<string | undefined> {
  const text = String(error);
  const isForbidden = /permission denied to create role/.test(text);
  if (isForbidden || missingRole.test(text)) {
    // Create only the missing roles: psql runs several statements in one transaction, which would fail on a
    // role that exists.
    const create = (await missingRoles(databaseUrl)).map((role) => `create role ${role} nologin`).join('; ');
    return isForbidden
      ? `group roles are missing and this login may not create them: as a superuser, run \`${create}\``
      : `group roles are missing: as a superuser, run \`${create}\`, then grant them to your logins`;
  }
  if (/Not run migration/.test(text))
    return 'another version of Wartable migrated the database: use that version or a newer one';
  if (/Unable to ensure migrations table/.test(text))
    return 'this login may not change the schema: use the login that owns the database';
  return undefined;
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // All databases of a cluster share the rows for roles and databases, so two migrations may change one at
  // the same time.
  return (
    isInUse(error) ||
    /Another migration is already running|tuple concurrently (updated|deleted)/.test(error.message)
  );
}

/**
 * Returns true if the role that the error calls missing exists by now. Another database of the cluster may
 * have created it at this moment, and a session that looked before may not see it yet.
 */
async function isRoleThere(databaseUrl: string, error: unknown): Promise<boolean> {
  const role = missingRole.exec(String(error))?.[1];
  return role !== undefined && !(await missingRoles(databaseUrl)).includes(role);
}

async function missingRoles(databaseUrl: string): Promise<string[]> {
  const { rows } = await onClient(databaseUrl, (client) =>
    client.query<{ rolname: string }>('select rolname from pg_catalog.pg_roles'),
  );
  const there = new Set(rows.map(({ rolname }) => rolname));
  return ['wartable_publish', 'wartable_serve', 'wartable_keys'].filter((role) => !there.has(role));
}

const missingRole = /role "(wartable_(?:publish|serve|keys))" does not exist/;

function isInUse(error: unknown): boolean {
  return String(error).includes('canceling statement due to lock timeout');
}
