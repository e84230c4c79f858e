// Repeats changes to keys and accounts that a restored backup does not contain. The caller must know that the
// ids still refer to the same keys and accounts.
import type { ClientBase } from 'pg';
import { keysChannel, noticeOf } from './notice.ts';

/**
 * Ends a key that was rotated. Nobody knows any more how long it was to work beside its successor, and the
 * successor is lost.
 */
export async function endKey(client: ClientBase, id: string, at: Date): Promise<void> {
  await client.query('update keys.key set expires_at = least(expires_at, $2) where id = $1', [id, at]);
  await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf({ refuse: 'key', id })]);
}

export async function setAccountActiveById(client: ClientBase, id: string, active: boolean): Promise<void> {
  await client.query('update keys.account set active = $2 where id = $1', [id, active]);
  const notice = active ? { allow: 'account' as const, id } : { refuse: 'account' as const, id };
  await client.query('select pg_notify($1, $2)', [keysChannel, noticeOf(notice)]);
}
