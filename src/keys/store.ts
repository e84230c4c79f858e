import { noteDeed } from '../database/deeds.ts';
import { inTransaction, type Pool } from '../database/pool.ts';
import { createKey, keyDigest } from './key.ts';
import { noticeOf, keysChannel, type KeysNotice } from './notice.ts';

// The operator's commands for keys and accounts. They run with the owner's login. A server's login has no such rights.

export interface KeyRow {
  id: string;
  account: string;
  accountActive: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface NewKey {
  id: string;
  key: string;
  accountActive: boolean;
}

export interface AccountRow {
  id: string;
  name: string;
  active: boolean;
  createdAt: Date;
  keys: number;
}

/** Creates the account when it is new. This is the only time that the key itself is available. */
export async function createKeyForAccount(pool: Pool, account: string): Promise<NewKey> {
  const key = createKey();
  const made = await inTransaction(pool, async (client) => {
    await client.query('insert into keys.account (name) values ($1) on conflict (name) do nothing', [
      account,
    ]);
    const { rows } = await client.query<Omit<NewKey, 'key'>>(
      `with made as (
         insert into keys.key (account_id, digest) select id, $2 from keys.account where name = $1 returning id
       )
       select made.id, account.active as "accountActive" from made, keys.account where name = $1`,
      [account, keyDigest(key)],
    );
    const row = rows[0];
    if (row !== undefined) await noteDeed(client, { deed: 'key created', kind: 'key', thing: row.id });
    return row;
  });
  if (made === undefined) throw new Error(`The account ${account} was deleted while its key was created.`);
  return { ...made, key };
}

export async function listKeys(pool: Pool): Promise<KeyRow[]> {
  const { rows } = await pool.query<KeyRow>(`
    select key.id, account.name as account, account.active as "accountActive", key.created_at as "createdAt",
      key.last_used_at as "lastUsedAt", key.revoked_at as "revokedAt"
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
      await noteDeed(client, { deed: 'key revoked', kind: 'key', thing: id });
    }
    await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf({ refuse: 'key', id })]);
    return true;
  });
}

export async function listAccounts(pool: Pool): Promise<AccountRow[]> {
  const { rows } = await pool.query<AccountRow>(`
    select account.id, account.name, account.active, account.created_at as "createdAt",
      (select count(*)::integer from keys.key where account_id = account.id and revoked_at is null) as keys
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
      const deed = active ? 'account activated' : 'account deactivated';
      await noteDeed(client, { deed, kind: 'account', thing: id });
    }
    const notice: KeysNotice = active ? { allow: 'account', id } : { refuse: 'account', id };
    await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf(notice)]);
    return true;
  });
}
