import { DatabaseFault } from './explain.ts';

const oldest = 15;

interface Database {
  query: (statement: string) => Promise<{ rows: unknown[] }>;
}

/** Throws when PostgreSQL is too old for our schema. */
export async function refuseOldPostgres(database: Database): Promise<void> {
  const { rows } = await database.query(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  const { version } = rows[0] as { version: number };
  if (version < oldest)
    throw new DatabaseFault(
      `the database is PostgreSQL ${version}, and Wartable needs ${oldest} or newer: upgrade PostgreSQL`,
    );
}

/**
 * Returns the error, or a better one if PostgreSQL is too old. Without our schema or a part of it, a command
 * would ask for a migration, which an old PostgreSQL cannot run. It asks the database only after such an
 * error, so that requests cost nothing more.
 */
export async function orOldPostgres(error: unknown, database: Database): Promise<unknown> {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string' || !/^(42P01|3F000|42703|42883|42601)$/.test(code)) return error;
  return refuseOldPostgres(database).then(
    () => error,
    (old: unknown) => (old instanceof DatabaseFault ? old : error),
  );
}
