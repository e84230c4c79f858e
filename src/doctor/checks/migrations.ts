import { readMigrations } from '../../database/migrate.ts';
import { explainMissing } from '../../database/schema.ts';
import { type Check, fault, some } from '../finding.ts';

export const migrations: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ standby: boolean; tables: boolean }>(
    `select pg_is_in_recovery() as standby, exists (select from pg_tables where schemaname = 'published') as tables`,
  );
  if (rows[0]?.standby) return [fault('DATABASE_URL names a standby: it must name the primary.')];
  const { ran, pending, unknown } = await readMigrations(pool);
  // Running the migrations again would create what already exists.
  if (ran.length === 0 && rows[0]?.tables) return [fault(explainMissing(['the rows of record.migration']))];
  if (unknown.length > 0) {
    return [
      fault(
        `A newer version of Wartable has migrated the database (${some(unknown)}): use that version of the command.`,
      ),
    ];
  }
  if (pending.length === 0) return [];
  return [
    fault(`The database is not migrated to this version (${some(pending)}): run \`wartable migrate\`.`),
  ];
};
