import { type Check, note } from '../finding.ts';

/** Who may connect. */
export const doors: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ open: boolean }>(
    "select has_database_privilege('public', current_database(), 'CONNECT') as open",
  );
  if (!rows[0]?.open) return [];
  return [
    note(
      'Every login of the cluster may connect to this database and send notices: `wartable migrate --private` closes it.',
    ),
  ];
};
