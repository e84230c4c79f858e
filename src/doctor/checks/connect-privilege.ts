import { othersWhoConnect } from '../../database/rights.ts';
import { type Check, note, some } from '../finding.ts';

/** Checks who may connect to the database. */
export const connectPrivilege: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ open: boolean }>(
    "select has_database_privilege('public', current_database(), 'CONNECT') as open",
  );
  if (!rows[0]?.open) return [];
  const others = await othersWhoConnect(pool);
  const named = others.length === 0 ? 'At present there is no other login.' : `These could: ${some(others)}.`;
  return [
    note(
      `Every login of the cluster may connect to this database and send notices. ${named} Run \`wartable migrate --private\`.`,
    ),
  ];
};
