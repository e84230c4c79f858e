import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { DatabaseFault } from './explain.ts';
import { LockWatch } from './lock-watch.ts';
import { createPool } from './pool.ts';
import { settleDatabaseRights } from './rights.ts';

interface MigrateOptions {
  /** Gets a line about each session that the migration waits for. The default is standard error. */
  tell?: (line: string) => void;
  /** Only tests lower it. */
  patienceMs?: number;
}

/**
 * Brings a database to the newest schema and returns the names of the migrations that ran. It is safe to run twice, and
 * in several processes at once: the second one retries until the first one is done.
 *
 * It must not wait on the advisory lock: that wait holds a snapshot, and CREATE INDEX CONCURRENTLY waits for snapshots.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const giveUpAt = Date.now() + (options.patienceMs ?? 120_000);
  for (;;) {
    try {
      const ran = await withMigrationClient(databaseUrl, options, (dbClient) =>
        runner({
          dbClient,
          dir: migrationsFolder,
          // Ignore every file that is no migration, such as schema.sql.
          ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
          direction: 'up',
          migrationsTable: 'migration',
          migrationsSchema: 'record',
          createMigrationsSchema: true,
          // The runner throws its errors as well. We do not need its other messages.
          logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
        }),
      );
      await settleDatabaseRights(databaseUrl);
      return ran.map((migration) => migration.name);
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== undefined) throw new DatabaseFault(fault, { cause: error });
      if (!isPassing(error)) throw error;
      if (Date.now() > giveUpAt)
        throw new DatabaseFault(isLockTimeout(error) ? stillLocked : stillRunning, { cause: error });
      await sleep(50 + Math.random() * 200);
    }
  }
}

/**
 * Lends a connection that waits for a lock only shortly, and names the session that holds it. Reads queue behind a
 * migration that waits for a table, so it must give up its place and try again.
 */
async function withMigrationClient<T>(
  databaseUrl: string,
  { tell }: MigrateOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'wartable-migrate',
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: 3_000,
  });
  // A connection that breaks fails the statement under way. Without a listener it would end the process.
  client.on('error', quiet);
  const pool = createPool(databaseUrl, {
    applicationName: 'wartable-migrate',
    size: 1,
    connectTimeoutMs,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; server: string }>(
      'select pg_backend_pid() as pid, pg_postmaster_start_time()::text as server',
    );
    // It only names: another session may be a server, which must not be ended.
    const watch = new LockWatch(pool, { tellAfterMs: 1_000, endAfterMs: Infinity, ...(tell && { tell }) });
    return await watch.watch({ client, ...rows[0] }, () => work(client));
  } finally {
    await client.end();
    await pool.end();
  }
}

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
const connectTimeoutMs = 5_000;
const quiet = () => {};
const stillRunning = 'another migration has run for two minutes: wait for its end, then try again';

const stillLocked =
  'another session has held a lock on a table for two minutes: end that session or wait for it, then try again';

/** For errors of the runner that carry no code, and for a right that only a superuser can give. */
function faultOf(error: unknown): string | undefined {
  const text = String(error);
  if (/permission denied to create role/.test(text)) {
    return (
      'the group roles are missing and this login may not create them: as a superuser, run ' +
      '`create role wartable_publish nologin; create role wartable_serve nologin`'
    );
  }
  if (/Not run migration/.test(text))
    return 'another version of Wartable migrated the database: use that version or a newer one';
  if (/Unable to ensure migrations table/.test(text))
    return 'this login may not change the schema: use the login that owns the database';
  return undefined;
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // All databases of a cluster share the rows of roles and databases: two migrations may change one at the same time.
  return (
    isLockTimeout(error) ||
    /Another migration is already running|tuple concurrently (updated|deleted)/.test(error.message)
  );
}

function isLockTimeout(error: unknown): boolean {
  return String(error).includes('canceling statement due to lock timeout');
}
