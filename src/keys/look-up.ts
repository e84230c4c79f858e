import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { isUnavailable } from '../availability/unavailable.ts';

/**
 * The caller to whom a key belongs. Undefined if the key is unknown, revoked or expired, or if its account is
 * not active. The caller cannot tell which of these it is.
 */
export type Caller =
  | {
      keyId: string;
      accountId: string;
      /**
       * Requests per minute for all keys of the account together. Absent if the account has no limit of its
       * own.
       */
      accountLimit?: number;
    }
  | undefined;

/** The answer of a database that knows the key. */
export interface KeyAnswer {
  caller: NonNullable<Caller>;
  active: boolean;
  /** Undefined if the key does not expire. */
  expiresInMs: number | undefined;
}

/** Asks the primary or, while it does not answer, the replicas in turn. */
export async function lookUpKey(
  digest: Buffer,
  [primary, ...replicas]: readonly [Database, ...Database[]],
  onQuery: () => void,
): Promise<{ answer: KeyAnswer | undefined; onPrimary: boolean }> {
  let failure: unknown;
  for (const database of [primary, ...replicas]) {
    const onPrimary = database === primary;
    try {
      onQuery();
      const [row] = await database.query<KeyRow>(checkKey, [digest]);
      return { answer: row && answerOf(row), onPrimary };
    } catch (error) {
      // On the primary, an error that is not an outage is a bug. After any error on a replica, ask the next
      // one.
      if (onPrimary && !isUnavailable(error)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

const checkKey: Statement = {
  name: 'check_key',
  text: 'select key_id, account_id, active, expires_in_ms, requests_per_minute from keys.check_key($1)',
};

interface KeyRow {
  key_id: string;
  account_id: string;
  active: boolean;
  expires_in_ms: number | null;
  requests_per_minute: number | null;
}

function answerOf(row: KeyRow): KeyAnswer {
  const { key_id: keyId, account_id: accountId, requests_per_minute: accountLimit } = row;
  return {
    caller: { keyId, accountId, ...(accountLimit !== null && { accountLimit }) },
    active: row.active,
    expiresInMs: row.expires_in_ms ?? undefined,
  };
}
