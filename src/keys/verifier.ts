import { LRUCache } from 'lru-cache';
import type { Database } from '../database/databases.ts';
import { isUnavailable, Overloaded } from '../availability/unavailable.ts';
import { keyDigest } from './key.ts';
import { type Caller, type KeyAnswer, lookUpKey } from './look-up.ts';
import type { KeysNotice } from './notice.ts';
import { createRefusals } from './refusals.ts';

// The states of a key in this process:
//
//   unknown ──► asked           at its first use; all requests with this key share the query
//   asked ──► accepted          a database knows it, and it is active
//         └─► refused           no database knows it, it has expired, or a notice refuses it
//   accepted ──► asked          after 10 s, after a notice about it, or after notices may have been lost
//            └─► honoured       no database answers: accepted for at most 60 s after its last answer

export interface KeyVerifier {
  /**
   * Returns the caller of a key. Rejects only if no database answers and the key was not accepted within the
   * last minute.
   */
  verify: (key: string) => Promise<Caller>;
  /**
   * Returns the name under which `verified` finds the key. Computing it costs as much as the rest of an
   * answer from memory, so keep it. It does not reveal the key.
   */
  nameOf: (key: string) => string;
  /**
   * Returns the caller of a key that was verified a moment ago. Returns undefined if a database must be
   * asked, or if the key is refused.
   */
  verified: (name: string) => Caller;
  /** Returns true if a database knew the key at any time. */
  isKnown: (key: string) => boolean;
  apply: (notice: KeysNotice) => void;
  /** Looks every key up again at its next use, because notices may have been missed until now. */
  distrust: () => void;
  /** Returns the number of key queries sent so far. */
  queries: () => number;
}

export interface KeyVerifierOptions {
  primary: Database;
  /** These are asked only while the primary does not answer. */
  replicas: Database[];
  now?: () => number;
}

/** The answer of a database about a key, as we remember it. */
interface KnownKey extends Omit<KeyAnswer, 'expiresInMs'> {
  /** The expiry time on the clock of this process. Infinity if the key does not expire. */
  expiresAt: number;
  askedAt: number;
  onPrimary: boolean;
  /** Set if no database answered: the entry is honoured until then without asking again. */
  honouredUntil: number;
}

const entryLifeMs = 10_000;
const honouredLifeMs = 60_000;
const askAgainMs = 1_000;
/**
 * The number of times that one request looks up its key if a notice about the key arrives during each
 * look-up.
 */
const maxAsked = 4;
/**
 * The maximum number of simultaneous look-ups of unknown keys. Keys with a valid checksum are easy to invent,
 * so their look-ups must not pile up.
 */
const maxUnderWay = 1_000;

/**
 * The maximum size of each list, which allocates memory for this many from the start. A key that no longer
 * fits is looked up again.
 */
const maxKept = 20_000;

/**
 * Creates the verifier of a server. It takes only well-formed keys (isWellFormedKey); any other text is
 * refused earlier.
 */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const now = options.now ?? (() => performance.now());
  const databases = [options.primary, ...options.replicas] as const;
  const entries = new LRUCache<string, KnownKey>({ max: maxKept });
  // Kept apart from the entries, so that a flood of invented keys cannot push out real ones.
  const unknown = new LRUCache<string, number>({ max: 10_000 });
  const underWay = new Map<string, Promise<KnownKey | undefined>>();
  const refusals = createRefusals(now, maxKept);
  let distrustedBefore = -Infinity;
  let queries = 0;

  async function verify(key: string): Promise<Caller> {
    const digest = keyDigest(key);
    const name = digest.toString('base64');
    const entry = entries.get(name);
    if (entry !== undefined && isFresh(entry)) return judge(entry);
    if (isTrusted(unknown.get(name))) return undefined;
    let answer = await shared(name, digest, entry);
    // A notice arrived after we had asked. An endless stream of notices says nothing about the key.
    for (let asked = 1; answer !== undefined && isToBeConfirmed(answer); asked += 1) {
      if (asked === maxAsked) throw new Overloaded('the notices about this key do not stop');
      answer = await shared(name, digest, answer);
    }
    return judge(answer);
  }

  /**
   * Returns true if the primary must be asked again because of a notice. While it does not answer, the notice
   * alone is enough to refuse.
   */
  function isToBeConfirmed(answer: KnownKey): boolean {
    return answer.onPrimary && answer.active && now() >= answer.honouredUntil && refusals.isRefused(answer);
  }

  async function shared(
    name: string,
    digest: Buffer,
    entry: KnownKey | undefined,
  ): Promise<KnownKey | undefined> {
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

  function verified(name: string): Caller {
    const entry = entries.get(name);
    return entry !== undefined && isFresh(entry) ? judge(entry) : undefined;
  }

  function isFresh(entry: KnownKey): boolean {
    if (now() < entry.honouredUntil) return true;
    // Any login of the cluster can send a notice, so the primary must confirm it.
    if (entry.onPrimary && refusals.isRefused(entry)) return false;
    return isTrusted(entry.askedAt) && !refusals.isAllowedSince(entry);
  }

  function isTrusted(askedAt: number | undefined): boolean {
    return askedAt !== undefined && now() - askedAt < entryLifeMs && askedAt > distrustedBefore;
  }

  function judge(entry: KnownKey | undefined): Caller {
    if (entry === undefined || !entry.active || now() >= entry.expiresAt || refusals.isRefused(entry))
      return undefined;
    return entry.caller;
  }

  async function look(
    name: string,
    digest: Buffer,
    known: KnownKey | undefined,
  ): Promise<KnownKey | undefined> {
    const askedAt = now();
    try {
      const { answer, onPrimary } = await lookUpKey(digest, databases, () => (queries += 1));
      if (answer !== undefined) {
        const { caller, active, expiresInMs = Infinity } = answer;
        const expiresAt = now() + expiresInMs;
        const entry: KnownKey = { caller, active, expiresAt, askedAt, onPrimary, honouredUntil: -Infinity };
        entries.set(name, entry);
        if (active) refusals.forget(entry);
        return entry;
      }
      // A replica may not know a new key yet, so a recent answer of the primary has precedence.
      if (!onPrimary) return known !== undefined && canBeHonoured(known) ? honour(known) : undefined;
      entries.delete(name);
      unknown.set(name, askedAt);
      return undefined;
    } catch (error) {
      if (known === undefined || !isUnavailable(error) || !canBeHonoured(known)) throw error;
      return honour(known);
    }
  }

  function canBeHonoured(entry: KnownKey): boolean {
    return now() - entry.askedAt < honouredLifeMs;
  }

  function honour(entry: KnownKey): KnownKey {
    entry.honouredUntil = Math.min(now() + askAgainMs, entry.askedAt + honouredLifeMs);
    return entry;
  }

  return {
    verify,
    nameOf: (key) => keyDigest(key).toString('base64'),
    verified,
    isKnown: (key) => entries.has(keyDigest(key).toString('base64')),
    apply: (notice) => refusals.apply(notice),
    distrust: () => {
      distrustedBefore = now();
    },
    queries: () => queries,
  };
}
