import type { PoolClient } from 'pg';
import { noteEntry } from '../audit/entries.ts';
import { inTransaction, type Pool } from '../database/pool.ts';
import { createKey, keyDigest } from './key.ts';
import { noticeOf, keysChannel, type KeysNotice } from './notice.ts';

// The operator's commands for keys and accounts. They run with the owner's login. A server's login has no such rights.

export interface KeyRow {
  id: string;
  account: string;
  label: string | null;
  /** How to reach the people behind the account. */
  contact: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The id of the key that follows. */
  rotatedTo: string | null;
  /** Why servers refuse the key, or `active`. */
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
  /** Requests a minute, of all its keys together. Null: its keys have the limit of the server, each. */
  limit: number | null;
  createdAt: Date;
  /** How many of its keys are neither revoked nor expired. */
  keys: number;
}

/** Creates the account when it is new. This is the only time that the key itself is available. */
export async function createKeyForAccount(
  pool: Pool,
  account: string,
  { label, expiresAt }: KeyOptions = {},
): Promise<NewKey> {
  return inTransaction(pool, async (client) => {
    await client.query('insert into keys.account (name) values ($1) on conflict (name) do nothing', [
      account,
    ]);
    const { rows } = await client.query<{ id: string }>('select id from keys.account where name = $1', [
      account,
    ]);
    if (rows[0] === undefined)
      throw new Error(`The account ${account} was deleted while its key was created.`);
    return insertKey(client, { accountId: rows[0].id, label: label ?? null, expiresAt: expiresAt ?? null });
  });
}

async function insertKey(
  client: PoolClient,
  made: { accountId: string; label: string | null; expiresAt: Date | null },
): Promise<NewKey> {
  const key = createKey();
  const { rows } = await client.query<Omit<NewKey, 'key'>>(
    `with made as (
       insert into keys.key (account_id, label, expires_at, digest) values ($1, $2, $3, $4)
       returning id, account_id, expires_at
     )
     select made.id, name as account, active as "accountActive", expires_at as "expiresAt"
     from made join keys.account on account.id = account_id`,
    [made.accountId, made.label, made.expiresAt, keyDigest(key)],
  );
  const row = rows[0] as Omit<NewKey, 'key'>;
  await noteEntry(client, { action: 'key created', kind: 'key', thing: row.id });
  return { ...row, key };
}

export interface Rotated {
  next: NewKey;
  /** When the old key ends. */
  oldExpiresAt: Date;
}

/**
 * Makes the next key of the same account, with the same label and the same length of life. The old key ends after the
 * overlap, or at its own end if that comes first. Returns the reason when the key cannot be rotated.
 */
export async function rotateKey(
  pool: Pool,
  id: string,
  { overlapMs, expiresAt }: { overlapMs: number; expiresAt?: Date | undefined },
): Promise<Rotated | { refused: string }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{
      accountId: string;
      label: string | null;
      rotatedTo: string | null;
      revoked: boolean;
      expired: boolean;
      nextExpiresAt: Date | null;
    }>(
      `select account_id as "accountId", label, rotated_to as "rotatedTo", revoked_at is not null as revoked,
         coalesce(expires_at <= now(), false) as expired,
         now() + make_interval(secs => extract(epoch from expires_at - created_at)::float8) as "nextExpiresAt"
       from keys.key where id = $1 for update`,
      [id],
    );
    const old = rows[0];
    if (old === undefined) return { refused: `There is no key ${id}: \`wartable keys list\` shows all.` };
    if (old.rotatedTo !== null)
      return { refused: `Key ${id} was rotated already: rotate key ${old.rotatedTo}, which follows it.` };
    if (old.revoked) return { refused: `Key ${id} is revoked: create a new key.` };
    if (old.expired) return { refused: `Key ${id} has expired: create a new key.` };

    const next = await insertKey(client, { ...old, expiresAt: expiresAt ?? old.nextExpiresAt });
    const { rows: ended } = await client.query<{ expiresAt: Date; inMs: number }>(
      `update keys.key set rotated_to = $2, expires_at = least(expires_at, now() + $3 * interval '1 ms')
       where id = $1
       returning expires_at as "expiresAt", (extract(epoch from expires_at - now()) * 1000)::float8 as "inMs"`,
      [id, next.id, overlapMs],
    );
    const { expiresAt: oldExpiresAt, inMs } = ended[0] as { expiresAt: Date; inMs: number };
    await noteEntry(client, { action: 'key rotated', kind: 'key', thing: id });
    await notify(client, { expire: 'key', id, inMs });
    return { next, oldExpiresAt };
  });
}

export async function listKeys(pool: Pool): Promise<KeyRow[]> {
  const { rows } = await pool.query<KeyRow>(`
    select key.id, account.name as account, key.label, account.contact, key.created_at as "createdAt",
      key.expires_at as "expiresAt", key.last_used_at as "lastUsedAt", key.revoked_at as "revokedAt",
      key.rotated_to as "rotatedTo",
      case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired'
        when not account.active then 'account inactive' else 'active' end as state
    from keys.key join keys.account on account.id = key.account_id
    order by key.id`);
  return rows;
}

/** Returns false when there is no such key. Revoking twice keeps the first date and tells the servers again. */
export async function revokeKey(pool: Pool, id: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ revoked: boolean }>(
      'select revoked_at is not null as revoked from keys.key where id = $1 for update',
      [id],
    );
    if (rows[0] === undefined) return false;
    if (!rows[0].revoked) {
      await client.query('update keys.key set revoked_at = now() where id = $1', [id]);
      await noteEntry(client, { action: 'key revoked', kind: 'key', thing: id });
    }
    await notify(client, { refuse: 'key', id });
    return true;
  });
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

/** Returns false when there is no such account. */
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
  /** Null removes it. Undefined keeps it. */
  contact?: string | null | undefined;
  limit?: number | null | undefined;
}

/** Returns false when there is no such account. */
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
