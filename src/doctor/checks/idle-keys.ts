import { type Check, note, some } from '../finding.ts';

/** Checks for valid keys that no caller has used for a year. */
export const idleKeys: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ id: string }>(`
    select key.id from keys.key join keys.account on account.id = key.account_id
    where key.revoked_at is null and account.active and (key.expires_at is null or key.expires_at > now())
      and coalesce(key.last_used_at, key.created_at) < now() - interval '1 year' order by key.id`);
  if (rows.length === 0) return [];
  return [
    note(
      `No caller has used these keys for a year: ${some(rows.map(({ id }) => id))}. Ask the accounts (\`wartable keys list\`), then run \`wartable keys revoke ID\`.`,
    ),
  ];
};
