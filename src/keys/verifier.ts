import { LRUCache } from 'lru-cache';
import type { Database } from '../database/databases.ts';
import { isUnavailable, Overloaded } from '../availability/unavailable.ts';
import { keyDigest } from './key.ts';
import { type Caller, type KeyAnswer, lookUpKey } from './look-up.ts';
import type { KeysNotice } from './notice.ts';
import { createRefusals } from './refusals.ts';

// A key is, for this process:
//
//   unknown ──► asked           at its first use. All requests with this key share the query.
//   asked ──► accepted          a database knows it, and it is active
//         └─► refused           no database knows it, it has ended, or a notice refuses it
//   accepted ──► asked          after 10 s, after a notice about it, or after notices may have been lost
//            └─► honoured       no database answers: accepted for at most 60 s after its last answer

export interface KeyVerifier {
  /** Rejects only when no database answers and the key was not accepted within the last minute. */
  verify: (key: string) => Promise<Caller>;
  /** What `verified` takes. It costs as much as the rest of an answer from memory, and nothing can be read from it. */
  nameOf: (key: string) => string;
  /** The caller of a key that was verified a moment ago. Undefined when a database must be asked, or the key is refused. */
  verified: (name: string) => Caller;
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

/** What a database said about a key. */
interface KnownKey extends Omit<KeyAnswer, 'expiresInMs'> {
  /** By the clock of this process. Infinity when the key has no end. */
  expiresAt: number;
  askedAt: number;
  onPrimary: boolean;
  /** Set when no database answered: the entry is honoured until then without asking again. */
  honouredUntil: number;
}

const entryLifeMs = 10_000;
const honouredLifeMs = 60_000;
const askAgainMs = 1_000;
/** How often one request asks for its key, when a notice about the key comes during each look-up. */
const maxAsked = 4;
/** Most look-ups of unknown keys at once. Keys with a valid checksum are easy to invent: they must not pile up. */
const maxUnderWay = 1_000;

/** Each list takes memory for this many from the start. Beyond it, a key is looked up again. */
const maxKept = 20_000;

/** Takes only well-formed keys (isWellFormedKey). Other text is refused earlier. */
export function createKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const now = options.now ?? (() => performance.now());
  const databases = [options.primary, ...options.replicas] as const;
  const entries = new LRUCache<string, KnownKey>({ max: maxKept });
  // Separate from the entries, so that a flood of invented keys cannot push real ones out.
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
    // A notice came after we had asked. Notices that do not stop are no verdict about the key.
    for (let asked = 1; answer !== undefined && isToBeConfirmed(answer); asked += 1) {
      if (asked === maxAsked) throw new Overloaded('the notices about this key do not stop');
      answer = await shared(name, digest, answer);
    }
    return judge(answer);
  }

  /** While the primary does not answer, the notice alone refuses. */
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
    // Any login of the cluster can send a notice: the primary must confirm it.
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
