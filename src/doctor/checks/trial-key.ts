import { keyDigest } from '../../keys/key.ts';
import { type Check, fault } from '../finding.ts';

/** Checks that the key that the guides show works when somebody pastes it. */
export const trialKeyCheck: Check = async ({ pool, trialKey }) => {
  if (trialKey === undefined) return [];
  const { rowCount } = await pool.query(
    `select from keys.key join keys.account on account.id = key.account_id
    where key.digest = $1 and key.revoked_at is null and account.active
      and (key.expires_at is null or key.expires_at > now())`,
    [keyDigest(trialKey)],
  );
  if (rowCount === 1) return [];
  return [
    fault(
      'The guides show a key that the API refuses: create another one (`wartable keys create`) and set TRIAL_KEY to it, or remove TRIAL_KEY.',
    ),
  ];
};
