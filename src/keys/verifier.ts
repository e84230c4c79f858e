import { LRUCache } from 'lru-cache';
import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { isUnavailable, Overloaded } from '../database/unavailable.ts';
import { keyDigest } from './key.ts';
import type { KeysNotice } from './notice.ts';

/** Undefined when the key is unknown, revoked or expired, or its account is not active. The caller cannot tell which it is. */
export type Caller =
  | {
      keyId: string;
      accountId: string;
      /** Requests a minute, of all keys of the account together. Absent when the account has no limit of its own. */
      accountLimit?: number;
    }
  | undefined;

export interface KeyVerifier {
  /** Rejects only when no database answers and the key was not accepted within the last minute. */
  verify: (key: string) => Promise<Caller>;
  /** The caller of a key that was verified a moment ago. Undefined when a database must be asked, or the key is refused. */
  verified: (key: string) => Caller;
  /** Whether a database knew the key, at any time. */
  isKnown: (key: string) => boolean;
  apply: (notice: KeysNotice) => void;
  /** Notices may have been missed until now, so every key is read again at its next use. */
  distrust: () => void;
  /** Key queries sent so far. */
  queries: () => number;
}

export interface KeyVerifierOptions {
  primary: Database;
  /** Asked only while the primary does not answer. */
  replicas: Database[];
  now?: () => number;
}

/** The database's answer for a key, and when we asked. */
interface Entry {
  caller: NonNullable<Caller>;
  active: boolean;
  /** By the clock of this process. Infinity when the key has no end. */
  expiresAt: number;
  askedAt: number;
  onPrimary: boolean;
  /** Set when no database answered: the entry is honoured until then without asking again. */
  honouredUntil: number;
}

/** A notice that ends a key or an account, and when it came. */
interface Refusal {
  from: number;
  noticedAt: number;
}

const entryLifeMs = 10_000;
const honouredLifeMs = 60_000;
const askAgainMs = 1_000;
/** How often one request asks for its key, when a notice about the key comes during each look-up. */
const mostAsked = 4;
/** Most look-ups of unknown keys at once. Keys with a valid checksum are easy to invent: they must not pile up. */
const maxUnderWay = 1_000;

/** Each list takes memory for this many from the start. Beyond it, a key is looked up again. */
const mostKept = 20_000;

/** Takes only well-formed keys (isWellFormedKey). Other text is refused earlier. */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const now = options.now ?? (() => performance.now());
  const entries = new LRUCache<string, Entry>({ max: mostKept });
  // Separate from the entries, so that a flood of invented keys cannot push real ones out.
  const unknown = new LRUCache<string, number>({ max: 10_000 });
  const underWay = new Map<string, Promise<Entry | undefined>>();
  const refusals = new LRUCache<string, Refusal>({ max: mostKept });
  const allowances = new LRUCache<string, number>({ max: mostKept });
  let distrustedBefore = -Infinity;
  let queries = 0;

  async function verify(key: string): Promise<Caller> {
    const digest = keyDigest(key);
    const name = digest.toString('base64');
    const entry = entries.get(name);
    if (entry !== undefined && isFresh(entry)) return judge(entry);
    if (isTrusted(unknown.get(name))) return undefined;
    let answer = await shared(name, digest, entry);
    // A notice came after we had asked. Notices that do not stop are no verdict about the key.
    for (let asked = 1; answer !== undefined && isToBeConfirmed(answer); asked += 1) {
      if (asked === mostAsked) throw new Overloaded('the notices about this key do not stop');
      answer = await shared(name, digest, answer);
    }
    return judge(answer);
  }

  /** While the primary does not answer, the notice alone refuses. */
  function isToBeConfirmed(answer: Entry): boolean {
    return answer.onPrimary && answer.active && now() >= answer.honouredUntil && isRefused(answer);
  }

  async function shared(name: string, digest: Buffer, entry: Entry | undefined): Promise<Entry | undefined> {
    // All requests with the same key share one query.
    let asking = underWay.get(name);
    if (asking === undefined) {
      if (entry === undefined && underWay.size >= maxUnderWay) {
        throw new Overloaded('too many unknown keys are being looked up');
      }
      asking = look(name, digest, entry).finally(() => underWay.delete(name));
      underWay.set(name, asking);
    }
    return asking;
  }

  function verified(key: string): Caller {
    const entry = entries.get(keyDigest(key).toString('base64'));
    return entry !== undefined && isFresh(entry) ? judge(entry) : undefined;
  }

  function isFresh(entry: Entry): boolean {
    if (now() < entry.honouredUntil) return true;
    // Any login of the cluster can send a notice: the primary must confirm it.
    if (entry.onPrimary && isRefused(entry)) return false;
    const allowedAt = allowances.get(entry.caller.accountId) ?? -Infinity;
    return isTrusted(entry.askedAt) && entry.askedAt > allowedAt;
  }

  function isTrusted(askedAt: number | undefined): boolean {
    return askedAt !== undefined && now() - askedAt < entryLifeMs && askedAt > distrustedBefore;
  }

  function judge(entry: Entry | undefined): Caller {
    if (entry === undefined || !entry.active || now() >= entry.expiresAt || isRefused(entry))
      return undefined;
    return entry.caller;
  }

  /**
   * A notice wins over every answer that was asked for before it arrived, even one that comes later. It also wins over
   * every answer of a replica, because the replica may lag behind. Only a later answer of the primary wins over it.
   */
  function isRefused(entry: Entry): boolean {
    return refusalNames(entry).some((name) => {
      const refusal = refusals.get(name);
      return refusal !== undefined && now() >= refusal.from && !isLater(entry, refusal);
    });
  }

  function isLater(entry: Entry, refusal: Refusal): boolean {
    return entry.onPrimary && entry.askedAt > refusal.noticedAt;
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
      // A replica may not know a new key yet: a recent answer of the primary counts for more.
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

  /** A later answer of the primary wins over a refusal: the notice that allows the account again may have been lost. */
  function forgetRefusals(entry: Entry): void {
    if (!entry.active) return;
    for (const name of refusalNames(entry)) {
      const refusal = refusals.get(name);
      if (refusal !== undefined && isLater(entry, refusal)) refusals.delete(name);
    }
  }

  async function askAnyDatabase(
    digest: Buffer,
    askedAt: number,
  ): Promise<{ entry: Entry | undefined; onPrimary: boolean }> {
    let failure: unknown;
    for (const database of [options.primary, ...options.replicas]) {
      const onPrimary = database === options.primary;
      try {
        queries += 1;
        const [row] = await database.query<KeyRow>(checkKey, [digest]);
        const entry = row && {
          caller: {
            keyId: row.key_id,
            accountId: row.account_id,
            ...(row.requests_per_minute !== null && { accountLimit: row.requests_per_minute }),
          },
          active: row.active,
          expiresAt: row.expires_in_ms === null ? Infinity : now() + row.expires_in_ms,
          askedAt,
          onPrimary,
          honouredUntil: -Infinity,
        };
        return { entry, onPrimary };
      } catch (error) {
        // On the primary, an error that is not an outage is a defect. After any error of a replica, ask the next one.
        if (onPrimary && !isUnavailable(error)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }

  function apply(notice: KeysNotice): void {
    if ('refuse' in notice) {
      refuse(`${notice.refuse}:${notice.id}`, now());
    } else if ('expire' in notice) {
      refuse(`key:${notice.id}`, now() + notice.inMs);
    } else {
      refusals.delete(`account:${notice.id}`);
      allowances.set(notice.id, now());
    }
  }

  /** The earliest end counts. */
  function refuse(name: string, from: number): void {
    refusals.set(name, { from: Math.min(from, refusals.get(name)?.from ?? Infinity), noticedAt: now() });
  }

  return {
    verify,
    verified,
    isKnown: (key) => entries.has(keyDigest(key).toString('base64')),
    apply,
    distrust: () => {
      distrustedBefore = now();
    },
    queries: () => queries,
  };
}

const checkKey: Statement = {
  name: 'check_key',
  text: 'select key_id, account_id, active, expires_in_ms, requests_per_minute from keys.check_key($1)',
};

interface KeyRow {
  key_id: string;
  account_id: string;
  active: boolean;
  /** Null when the key has no end. */
  expires_in_ms: number | null;
  requests_per_minute: number | null;
}

function refusalNames({ caller }: Entry): string[] {
  return [`key:${caller.keyId}`, `account:${caller.accountId}`];
}
