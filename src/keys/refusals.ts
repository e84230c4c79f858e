import { LRUCache } from 'lru-cache';
import type { Caller } from './look-up.ts';
import type { KeysNotice } from './notice.ts';

/** The caller of a key, as a database returned it. */
interface KnownCaller {
  caller: NonNullable<Caller>;
  askedAt: number;
  onPrimary: boolean;
}

/** A notice that ends a key or an account, and the time at which it arrived. */
interface Refusal {
  from: number;
  noticedAt: number;
}

/** Remembers what notices said about keys and accounts, and when they arrived. */
export function createRefusals(now: () => number, max: number) {
  const refusals = new LRUCache<string, Refusal>({ max });
  const allowances = new LRUCache<string, number>({ max });

  function isLater(known: KnownCaller, refusal: Refusal): boolean {
    return known.onPrimary && known.askedAt > refusal.noticedAt;
  }

  /** Refuses a key or an account from this time on, or from an earlier one if a notice set it before. */
  function refuse(name: string, from: number): void {
    refusals.set(name, { from: Math.min(from, refusals.get(name)?.from ?? Infinity), noticedAt: now() });
  }

  return {
    apply(notice: KeysNotice): void {
      if ('refuse' in notice) {
        refuse(`${notice.refuse}:${notice.id}`, now());
      } else if ('expire' in notice) {
        refuse(`key:${notice.id}`, now() + notice.inMs);
      } else {
        refusals.delete(`account:${notice.id}`);
        allowances.set(notice.id, now());
      }
    },
    /**
     * Returns true if a notice overrides this answer. A notice wins over every answer that was requested
     * before the notice arrived, even if the answer arrives later. It also wins over every answer of a
     * replica, because the replica may lag behind. Only an answer that was requested from the primary later
     * wins over it.
     */
    isRefused(known: KnownCaller): boolean {
      if (refusals.size === 0) return false;
      return namesOf(known).some((name) => {
        const refusal = refusals.get(name);
        return refusal !== undefined && now() >= refusal.from && !isLater(known, refusal);
      });
    },
    /**
     * Forgets refusals that a later answer of the primary contradicts. The notice that allows the account
     * again may have been lost.
     */
    forget(known: KnownCaller): void {
      for (const name of namesOf(known)) {
        const refusal = refusals.get(name);
        if (refusal !== undefined && isLater(known, refusal)) refusals.delete(name);
      }
    },
    /** Returns true if a notice has allowed the account since the answer was requested. */
    isAllowedSince: ({ caller, askedAt }: KnownCaller): boolean =>
      askedAt <= (allowances.get(caller.accountId) ?? -Infinity),
  };
}

function namesOf({ caller }: KnownCaller): string[] {
  return [`key:${caller.keyId}`, `account:${caller.accountId}`];
}
