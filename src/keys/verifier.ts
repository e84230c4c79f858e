import { LRUCache } from 'lru-cache';
import type { Pool } from '../database/pool.ts';
import { isUnavailable, Overloaded } from '../database/unavailable.ts';
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
/** Unknown keys being looked up at once. Anybody can make up keys with a good checksum: they must not pile up. */
const maxUnderWay = 1_000;

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
      if (entry === undefined && underWay.size >= maxUnderWay) {
        throw new Overloaded('too many unknown keys are being looked up');
      }
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
    return refusalNames(entry).some((name) => {
      const refusedAt = refusals.get(name);
      return refusedAt !== undefined && !(entry.onPrimary && entry.askedAt > refusedAt);
    });
  }

  async function look(name: string, digest: Buffer, known: Entry | undefined): Promise<Entry | undefined> {
    const askedAt = now();
    try {
      const { entry, onPrimary } = await askAnyDatabase(digest, askedAt);
      if (entry !== undefined) {
        entries.set(name, entry);
        forgetRefusals(entry);
        return entry;
      }
      // A replica may lag behind the making of a key: what the primary said of it not long ago counts for more.
      if (!onPrimary) return known !== undefined && canBeHonoured(known) ? honour(known) : undefined;
      entries.delete(name);
      unknown.set(name, askedAt);
      return undefined;
    } catch (error) {
      if (known === undefined || !isUnavailable(error) || !canBeHonoured(known)) throw error;
      return honour(known);
    }
  }

  function canBeHonoured(entry: Entry): boolean {
    return now() - entry.askedAt < honouredLifeMs;
  }

  function honour(entry: Entry): Entry {
    entry.honouredUntil = Math.min(now() + askAgainMs, entry.askedAt + honouredLifeMs);
    return entry;
  }

  /** The primary, asked after a refusal came, knows better: its notice of the contrary may have been lost. */
  function forgetRefusals(entry: Entry): void {
    if (!entry.active || isRefused(entry)) return;
    for (const name of refusalNames(entry)) refusals.delete(name);
  }

  async function askAnyDatabase(
    digest: Buffer,
    askedAt: number,
  ): Promise<{ entry: Entry | undefined; onPrimary: boolean }> {
    let failure: unknown;
    for (const pool of [options.primary, ...options.replicas]) {
      const onPrimary = pool === options.primary;
      try {
        queries += 1;
        const { rows } = await pool.query<{ key_id: string; account_id: string; active: boolean }>({
          name: 'verify_key',
          text: 'select key_id, account_id, active from keys.verify($1)',
          values: [digest],
        });
        const row = rows[0];
        const entry = row && {
          keyId: row.key_id,
          accountId: row.account_id,
          active: row.active,
          askedAt,
          onPrimary,
          honouredUntil: -Infinity,
        };
        return { entry, onPrimary };
      } catch (error) {
        // A defect of the primary is a defect. Whatever is wrong with a replica, the next one may answer.
        if (onPrimary && !isUnavailable(error)) throw error;
        failure ??= error;
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

function refusalNames(entry: Entry): string[] {
  return [`key:${entry.keyId}`, `account:${entry.accountId}`];
}
