import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/**
 * Brings a database to the newest schema and returns the names of the migrations that ran. Safe to run twice, and by
 * several processes at once: whoever comes second waits for the first by trying again.
 *
 * Waiting inside the advisory lock is no choice: it holds a snapshot, for which an index built concurrently waits.
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
        // What fails is thrown as well; the rest is chatter.
        logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      });
      await settleDatabaseRights(databaseUrl);
      return ran.map((migration) => migration.name);
    } catch (error) {
      if (/permission denied to create role/.test(String(error)))
        throw new Error(rolesMissing, { cause: error });
      if (!isPassing(error) || Date.now() > giveUpAt) throw error;
      await sleep(50 + Math.random() * 200);
    }
  }
}

/**
 * The rights on the database itself, which no dump, restore or clone carries along: that is why every run settles them
 * and not a migration. A serving login may create nothing, temporary tables included; whoever records may.
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
        -- Large objects are the one thing that anybody may otherwise create. Only a superuser can take that away.
        begin
          revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
        exception
          when insufficient_privilege then null;
        end;
        if has_database_privilege('public', current_database(), 'TEMPORARY') then
          raise 'only the owner of database % can take temporary tables from everybody: migrate with that login',
            current_database();
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
const rolesMissing = `The group roles are missing and this login may not create them. As a superuser, once per cluster:
  create role wartable_publish nologin;
  create role wartable_serve nologin;`;

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Roles and databases are rows that all databases of a cluster share: two migrations may touch one at once.
  return /Another migration is already running|tuple concurrently (updated|deleted)/.test(error.message);
}
