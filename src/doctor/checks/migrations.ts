import { readMigrations } from '../../database/migrate.ts';
import { type Check, fault, some } from '../finding.ts';

export const migrations: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby) return [fault('DATABASE_URL names a standby: it must name the primary.')];
  const { pending, unknown } = await readMigrations(pool);
  if (unknown.length > 0) {
    return [
      fault(
        `A newer version of Wartable migrated the database (${some(unknown)}): use that version of the command.`,
      ),
    ];
  }
  if (pending.length === 0) return [];
  return [
    fault(`The database is not migrated to this version (${some(pending)}): run \`wartable migrate\`.`),
  ];
};
