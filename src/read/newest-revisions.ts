import { decodeNotice, movedKinds, type MovedKind, type MovedList, movedLists } from '../published/notice.ts';

/** Everything that has a revision. */
export type RevisionScope = `${MovedKind}:${string}` | MovedList;

/** A thing as an answer or a page shows it. Revision 0 means that the thing does not exist. */
export interface ShownScope {
  scope: RevisionScope;
  revision: bigint;
}

/** The newest revision of each scope that a notice named. */
export interface NewestRevisions {
  /**
   * Applies a notice. Returns false if everything may have changed, because the notice says so or because
   * there is no room to keep it.
   */
  apply: (payload: string) => boolean;
  /**
   * Forgets all revisions after a new LISTEN. Notices may have been lost, and after a failover the old ones
   * may name lost commits.
   */
  restart: () => void;
  /** Increases when everything may have changed. Copies of an earlier generation must not be kept. */
  generation: () => number;
  /**
   * Returns a different object after each notice about the scope, even if the notice names an older revision.
   */
  lastNotice: (scope: RevisionScope) => LastNotice | undefined;
  /** Returns true if a notice named a newer revision of one of these things. */
  isOld: (shown: readonly ShownScope[]) => boolean;
  /**
   * Corrects the newest revision of a scope if the primary, asked after `lastNotice`, has an older one, which
   * means that the commit of the notice was lost. Does nothing if another notice has come in the meantime,
   * because it may belong to a commit that the primary did not show yet.
   */
  correct: (scope: RevisionScope, lastNotice: LastNotice, onPrimary: bigint) => void;
  /**
   * Returns how many revisions notices have named so far. A notice that everything may have changed counts as
   * one.
   */
  count: () => number;
}

interface LastNotice {
  readonly revision: bigint;
  /** Distinguishes this object from the ones before and after it. */
  readonly serial: number;
}

export function createNewestRevisions(most = 100_000): NewestRevisions {
  const newest = new Map<RevisionScope, LastNotice>();
  let generation = 0;
  let count = 0;
  let serial = 0;
  const nextSerial = () => (serial += 1);
  const learn = (scope: RevisionScope, revision: bigint) => {
    count += 1;
    const known = newest.get(scope)?.revision ?? 0n;
    newest.set(scope, { revision: known < revision ? revision : known, serial: nextSerial() });
  };
  const restart = () => {
    newest.clear();
    generation += 1;
  };
  return {
    apply(payload) {
      const moved = decodeNotice(payload);
      if (moved === 'everything') {
        generation += 1;
        count += 1;
        return false;
      }
      for (const kind of movedKinds) {
        for (const [key, revision] of moved[kind] ?? []) learn(`${kind}:${key}`, revision);
      }
      for (const list of movedLists) if (moved[list] !== undefined) learn(list, moved[list]);
      if (newest.size <= most) return true;
      restart();
      return false;
    },
    restart,
    generation: () => generation,
    lastNotice: (scope) => newest.get(scope),
    isOld: (shown) => shown.some(({ scope, revision }) => revision < (newest.get(scope)?.revision ?? 0n)),
    correct(scope, lastNotice, onPrimary) {
      if (newest.get(scope) === lastNotice && onPrimary < lastNotice.revision)
        newest.set(scope, { revision: onPrimary, serial: nextSerial() });
    },
    count: () => count,
  };
}
