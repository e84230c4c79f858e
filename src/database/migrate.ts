import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { DatabaseFault } from './explain.ts';

/**
 * Brings a database to the newest schema and returns the names of the migrations that ran. It is safe to run twice, and
 * in several processes at once: the second one retries until the first one is done.
 *
 * It must not wait on the advisory lock: that wait holds a snapshot, and CREATE INDEX CONCURRENTLY waits for snapshots.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    try {
      const ran = await runner({
        databaseUrl: { connectionString: databaseUrl, connectionTimeoutMillis: 5_000 },
        dir: migrationsFolder,
        // Ignore every file that is no migration, such as schema.sql.
        ignorePattern: '(?!\\d{4}_.*\\.sql$).*',
        direction: 'up',
        migrationsTable: 'migration',
        migrationsSchema: 'record',
        createMigrationsSchema: true,
        // The runner throws its errors as well. We do not need its other messages.
        logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      });
      await settleDatabaseRights(databaseUrl);
      return ran.map((migration) => migration.name);
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== undefined) throw new DatabaseFault(fault, { cause: error });
      if (!isPassing(error)) throw error;
      if (Date.now() > giveUpAt) throw new DatabaseFault(stillRunning, { cause: error });
      await sleep(50 + Math.random() * 200);
    }
  }
}

/**
 * Sets the rights on the database itself. Every run sets them, not a migration, because a dump, restore or clone does
 * not carry them. A serving login may create nothing, not even temporary tables. A login that records may.
 */
export async function settleDatabaseRights(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(`
      do $$
      begin
        if has_database_privilege('public', current_database(), 'TEMPORARY') then
          execute format('revoke temporary on database %I from public', current_database());
        end if;
        if not has_database_privilege('wartable_publish', current_database(), 'TEMPORARY') then
          execute format('grant temporary on database %I to wartable_publish', current_database());
        end if;
        -- By default every login may create large objects. Only a superuser can revoke that.
        begin
          revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
        exception
          when insufficient_privilege then null;
        end;
        if has_database_privilege('public', current_database(), 'TEMPORARY') then
          raise insufficient_privilege
            using message = 'only the owner of the database can take temporary tables from everybody';
        end if;
      end
      $$`);
  } finally {
    await client.end();
  }
}

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
const patienceMs = 120_000;
const quiet = () => {};
const stillRunning = 'another migration has run for two minutes: wait for its end, then try again';

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
  return /Another migration is already running|tuple concurrently (updated|deleted)/.test(error.message);
}
