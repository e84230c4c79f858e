/**
 * The operator's commands send these to the running servers, in the transaction that makes the change. A server then
 * asks the primary for the key at its next use, or at the end that the notice gives the key. While the primary does not
 * answer, the notice alone refuses. Servers ignore words that they do not know.
 */
export type KeysNotice =
  | { refuse: 'key' | 'account'; id: string }
  | { allow: 'account'; id: string }
  | { expire: 'key'; id: string; inMs: number };

export const keysChannel = 'wartable_keys';

export function noticeOf(notice: KeysNotice): string {
  return JSON.stringify(notice);
}

/** Every database login can send a notice, so a payload may be anything. Undefined when it is not a notice of ours. */
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
