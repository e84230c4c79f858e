/**
 * A message from one of the operator's commands to the running servers, sent in the transaction that makes
 * the change. A server then asks the primary about the key at its next use, or at the expiry time that the
 * notice sets. While the primary does not answer, the notice alone is enough to refuse. Servers ignore
 * notices that they do not know.
 */
export type KeysNotice =
  | { refuse: 'key' | 'account'; id: string }
  | { allow: 'account'; id: string }
  | { expire: 'key'; id: string; inMs: number };

export const keysChannel = 'wartable_keys';

export function noticeOf(notice: KeysNotice): string {
  return JSON.stringify(notice);
}

/**
 * Parses a payload. Every database login can send a notice, so it may be anything. Returns undefined if it is
 * not one of our notices.
 */
export function parseNotice(payload: string): KeysNotice | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string')
    return undefined;
  const { id } = value;
  if ('refuse' in value && (value.refuse === 'key' || value.refuse === 'account'))
    return { refuse: value.refuse, id };
  if ('expire' in value && value.expire === 'key' && 'inMs' in value && typeof value.inMs === 'number')
    return { expire: 'key', id, inMs: value.inMs };
  if ('allow' in value && value.allow === 'account') return { allow: 'account', id };
  return undefined;
}
