/**
 * What the operator's commands tell the running servers, in the transaction that makes it true. A refusal names the
 * key or the account and is itself the refusal: nobody reads anything again to act on it.
 */
export type KeysNotice = { refuse: 'key' | 'account'; id: string } | { allow: 'account'; id: string };

export const keysChannel = 'wartable_keys';

export function noticeOf(notice: KeysNotice): string {
  return JSON.stringify(notice);
}

/** Anybody with a login can send a notice: what is not one of ours is undefined. */
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
  if ('allow' in value && value.allow === 'account') return { allow: 'account', id };
  return undefined;
}
