import type { PoolClient } from 'pg';
import { noteEntry } from '../audit/entries.ts';
import { inTransaction, type Pool } from '../database/pool.ts';
import { createKey, keyDigest } from './key.ts';
import { noticeOf, keysChannel, type KeysNotice } from './notice.ts';

// The operator's commands for keys and accounts. Commands for keys need the owner's login or one with
// wartable_keys; commands for accounts need the owner's. A server's login has neither right.

export interface KeyRow {
  id: string;
  account: string;
  label: string | null;
  /** A way to reach the people behind the account. */
  contact: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The id of the key that succeeds it. */
  rotatedTo: string | null;
  /** The reason why servers refuse the key, or `active`. */
  state: 'active' | 'revoked' | 'expired' | 'account inactive';
}

export interface KeyOptions {
  label?: string | undefined;
  expiresAt?: Date | undefined;
}

export interface NewKey {
  id: string;
  key: string;
  account: string;
  accountActive: boolean;
  expiresAt: Date | null;
}

export interface AccountRow {
  id: string;
  name: string;
  contact: string | null;
  active: boolean;
  /**
   * Requests per minute for all its keys together. Null means that each of its keys has the server's limit.
   */
  limit: number | null;
  createdAt: Date;
  /** The number of its keys that are neither revoked nor expired. */
  keys: number;
}

/** Creates a key, and the account too if it is new. The key itself is never available again. */
export async function createKeyForAccount(
  pool: Pool,
  account: string,
  { label, expiresAt }: KeyOptions = {},
): Promise<NewKey> {
  const key = createKey();
  const { rows } = await pool.query<Omit<NewKey, 'key'>>(
    `select ${madeColumns} from keys.create_key($1, $2, $3, $4)`,
    [account, keyDigest(key), label ?? null, expiresAt ?? null],
  );
  return { ...(rows[0] as Omit<NewKey, 'key'>), key };
}

const madeColumns = 'id, account_name as account, account_active as "accountActive", ends_at as "expiresAt"';

export interface Rotated {
  next: NewKey;
  /** The time at which the old key expires. */
  oldExpiresAt: Date;
}

/**
 * Creates the next key of the same account, with the same label and the same lifetime. The old key expires
 * after the overlap, or at its own expiry time if that comes first. Returns the reason if the key cannot be
 * rotated.
 */
export async function rotateKey(
  pool: Pool,
  id: string,
  { overlapMs, expiresAt }: { overlapMs: number; expiresAt?: Date | undefined },
): Promise<Rotated | { refused: string }> {
  const key = createKey();
  const { rows } = await pool.query<Omit<NewKey, 'key'> & { oldExpiresAt: Date }>(
    `select ${madeColumns}, old_ends_at as "oldExpiresAt" from keys.rotate_key($1, $2, $3, $4)`,
    [id, keyDigest(key), overlapMs, expiresAt ?? null],
  );
  if (rows[0] === undefined) return { refused: whyNotRotated(id, await listKeys(pool)) };
  const { oldExpiresAt, ...made } = rows[0];
  return { next: { ...made, key }, oldExpiresAt };
}

function whyNotRotated(id: string, keys: KeyRow[]): string {
  const old = keys.find((each) => each.id === id);
  if (old === undefined) return `There is no key ${id}: \`wartable keys list\` shows all keys.`;
  if (old.rotatedTo !== null)
    return `Key ${id} was rotated already: rotate key ${old.rotatedTo}, which follows it.`;
  return `Key ${id} ${old.state === 'revoked' ? 'is revoked' : 'has expired'}: create a new key.`;
}

export async function listKeys(pool: Pool): Promise<KeyRow[]> {
  const { rows } = await pool.query<KeyRow>(`
    select id, account, label, contact, created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt", revoked_at as "revokedAt", rotated_to as "rotatedTo", state
    from keys.list_keys()`);
  return rows;
}

/**
 * Revokes a key. Returns false if there is no such key. Revoking it twice keeps the first date and sends the
 * notice again.
 */
export async function revokeKey(pool: Pool, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ isKey: boolean }>('select keys.revoke_key($1) as "isKey"', [id]);
  return rows[0]?.isKey === true;
}

export async function listAccounts(pool: Pool): Promise<AccountRow[]> {
  const { rows } = await pool.query<AccountRow>(`
    select account.id, account.name, account.contact, account.active,
      account.requests_per_minute as limit, account.created_at as "createdAt",
      (select count(*)::integer from keys.key where account_id = account.id and revoked_at is null
        and (expires_at is null or expires_at > now())) as keys
    from keys.account
    order by account.name`);
  return rows;
}

/** Activates or deactivates an account. Returns false if there is no such account. */
export async function setAccountActive(pool: Pool, name: string, active: boolean): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; active: boolean }>(
      'select id, active from keys.account where name = $1 for update',
      [name],
    );
    const account = rows[0];
    if (account === undefined) return false;
    const { id } = account;
    if (account.active !== active) {
      await client.query('update keys.account set active = $2 where id = $1', [id, active]);
      const action = active ? 'account activated' : 'account deactivated';
      await noteEntry(client, { action, kind: 'account', thing: id });
    }
    await notify(client, active ? { allow: 'account', id } : { refuse: 'account', id });
    return true;
  });
}

export interface AccountChanges {
  /** Null removes the value, and undefined keeps it. */
  contact?: string | null | undefined;
  limit?: number | null | undefined;
}

/** Changes the contact or the limit of an account. Returns false if there is no such account. */
export async function setAccount(
  pool: Pool,
  name: string,
  { contact, limit }: AccountChanges,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; changed: boolean }>(
      `update keys.account after set contact = case when $2 then $3 else after.contact end,
         requests_per_minute = case when $4 then $5 else after.requests_per_minute end
       from (select * from keys.account where name = $1 for update) before
       where after.id = before.id
       returning after.id, (after.contact, after.requests_per_minute)
         is distinct from (before.contact, before.requests_per_minute) as changed`,
      [name, contact !== undefined, contact, limit !== undefined, limit],
    );
    const [account] = rows;
    if (account?.changed)
      await noteEntry(client, { action: 'account changed', kind: 'account', thing: account.id });
    return account !== undefined;
  });
}

async function notify(client: PoolClient, notice: KeysNotice): Promise<void> {
  await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf(notice)]);
}
