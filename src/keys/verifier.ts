import { LRUCache } from 'lru-cache';
import type { Pool } from '../database/pool.ts';
import { isUnavailable, Unavailable } from '../database/unavailable.ts';
import { keyDigest } from './key.ts';
import type { KeysNotice } from './notice.ts';

/** Who is calling; undefined when the key is unknown, revoked, or its account is not active: callers cannot tell. */
export type Caller = { keyId: string; accountId: string } | undefined;

export interface KeyVerifier {
  /** Rejects only when no database answers and the key was not accepted within the last minute. */
  verify: (key: string) => Promise<Caller>;
  apply: (notice: KeysNotice) => void;
  /** Notices may have been missed until now: what was read before is read again at its next use. */
  distrust: () => void;
  /** Key queries sent so far. */
  queries: () => number;
}

export interface KeyVerifierOptions {
  primary: Pool;
  /** Asked only while the primary does not answer. */
  replicas: Pool[];
  now?: () => number;
}

/** What the database said of a key, and when it was asked. */
interface Entry {
  keyId: string;
  accountId: string;
  active: boolean;
  askedAt: number;
  onPrimary: boolean;
  /** No database answered: the entry is honoured until then without asking again. */
  honouredUntil: number;
}

const entryLifeMs = 10_000;
const honouredLifeMs = 60_000;
const askAgainMs = 1_000;
/** Different keys being looked up at once; more would only queue for the same few connections. */
const maxUnderWay = 64;

/** Callers give well-formed keys only (isWellFormedKey): everything else is refused before it comes here. */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const now = options.now ?? (() => performance.now());
  const entries = new LRUCache<string, Entry>({ max: 100_000 });
  // Apart from the entries, so that a flood of made-up keys cannot push real ones out.
  const unknown = new LRUCache<string, number>({ max: 10_000 });
  const underWay = new Map<string, Promise<Entry | undefined>>();
  const refusals = new LRUCache<string, number>({ max: 100_000 });
  const allowances = new LRUCache<string, number>({ max: 100_000 });
  let distrustedBefore = -Infinity;
  let queries = 0;

  async function verify(key: string): Promise<Caller> {
    const digest = keyDigest(key);
    const name = digest.toString('base64');
    const entry = entries.get(name);
    if (entry !== undefined && isFresh(entry)) return judge(entry);
    if (isTrusted(unknown.get(name))) return undefined;
    // Everybody who comes with the same key while the database is being asked waits for the one answer.
    let asking = underWay.get(name);
    if (asking === undefined) {
      if (underWay.size >= maxUnderWay) throw new Unavailable('too many keys are being looked up');
      asking = look(name, digest, entry).finally(() => underWay.delete(name));
      underWay.set(name, asking);
    }
    return judge(await asking);
  }

  function isFresh(entry: Entry): boolean {
    if (now() < entry.honouredUntil) return true;
    const allowedAt = allowances.get(entry.accountId) ?? -Infinity;
    return isTrusted(entry.askedAt) && entry.askedAt > allowedAt;
  }

  function isTrusted(askedAt: number | undefined): boolean {
    return askedAt !== undefined && now() - askedAt < entryLifeMs && askedAt > distrustedBefore;
  }

  function judge(entry: Entry | undefined): Caller {
    if (entry === undefined || !entry.active || isRefused(entry)) return undefined;
    return { keyId: entry.keyId, accountId: entry.accountId };
  }

  /**
   * A refusal outweighs everything asked before it arrived, the answers still under way included, and everything that
   * a replica says: it may lag behind the refusal. Only the primary, asked later, knows better.
   */
  function isRefused(entry: Entry): boolean {
    return [`key:${entry.keyId}`, `account:${entry.accountId}`].some((name) => {
      const refusedAt = refusals.get(name);
      return refusedAt !== undefined && !(entry.onPrimary && entry.askedAt > refusedAt);
    });
  }

  async function look(name: string, digest: Buffer, known: Entry | undefined): Promise<Entry | undefined> {
    const askedAt = now();
    try {
      const entry = await askAnyDatabase(digest, askedAt);
      if (entry === undefined) {
        entries.delete(name);
        unknown.set(name, askedAt);
      } else {
        entries.set(name, entry);
      }
      return entry;
    } catch (error) {
      if (known === undefined || !isUnavailable(error) || now() - known.askedAt >= honouredLifeMs)
        throw error;
      known.honouredUntil = Math.min(now() + askAgainMs, known.askedAt + honouredLifeMs);
      return known;
    }
  }

  async function askAnyDatabase(digest: Buffer, askedAt: number): Promise<Entry | undefined> {
    let failure: unknown;
    for (const pool of [options.primary, ...options.replicas]) {
      try {
        queries += 1;
        const { rows } = await pool.query<{ key_id: string; account_id: string; active: boolean }>({
          name: 'verify_key',
          text: 'select key_id, account_id, active from keys.verify($1)',
          values: [digest],
        });
        const row = rows[0];
        return (
          row && {
            keyId: row.key_id,
            accountId: row.account_id,
            active: row.active,
            askedAt,
            onPrimary: pool === options.primary,
            honouredUntil: -Infinity,
          }
        );
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  function apply(notice: KeysNotice): void {
    if ('refuse' in notice) {
      refusals.set(`${notice.refuse}:${notice.id}`, now());
    } else {
      refusals.delete(`account:${notice.id}`);
      allowances.set(notice.id, now());
    }
  }

  return {
    verify,
    apply,
    distrust: () => {
      distrustedBefore = now();
    },
    queries: () => queries,
  };
}
