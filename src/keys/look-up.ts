import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { isUnavailable } from '../availability/unavailable.ts';

/** Undefined when the key is unknown, revoked or expired, or its account is not active. The caller cannot tell which it is. */
export type Caller =
  | {
      keyId: string;
      accountId: string;
      /** Requests a minute, of all keys of the account together. Absent when the account has no limit of its own. */
      accountLimit?: number;
    }
  | undefined;

/** What a database says about a key that it knows. */
export interface KeyAnswer {
  caller: NonNullable<Caller>;
  active: boolean;
  /** Undefined when the key has no end. */
  expiresInMs: number | undefined;
}

/** Asks the primary. While it does not answer, asks the replicas in turn. */
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
      // On the primary, an error that is not an outage is a defect. After any error of a replica, ask the next one.
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
