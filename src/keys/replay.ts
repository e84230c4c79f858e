// What a restore has forgotten of keys and accounts, done again. The caller knows that the ids mean the same ones.
import type { ClientBase } from 'pg';
import { keysChannel, noticeOf } from './notice.ts';

/** A rotated key. How long it was to work beside the next one is unknown, and the next one is lost: so it ends. */
export async function endKey(client: ClientBase, id: string, at: Date): Promise<void> {
  await client.query('update keys.key set expires_at = least(expires_at, $2) where id = $1', [id, at]);
  await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf({ refuse: 'key', id })]);
}

export async function setAccountActiveById(client: ClientBase, id: string, active: boolean): Promise<void> {
  await client.query('update keys.account set active = $2 where id = $1', [id, active]);
  const notice = active ? { allow: 'account' as const, id } : { refuse: 'account' as const, id };
  await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf(notice)]);
}
