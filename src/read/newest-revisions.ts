import { decodeNotice, movedKinds, type MovedKind, type MovedList, movedLists } from '../published/notice.ts';

/** Everything that has a revision. */
export type RevisionScope = `${MovedKind}:${string}` | MovedList;

/** A thing as an answer or a page shows it. Revision 0 means that the thing does not exist. */
export interface ShownScope {
  scope: RevisionScope;
  revision: bigint;
}

/** The newest revision of each scope that a notice named, as far as there is room. */
export interface NewestRevisions {
  /**
   * Applies a notice. Returns what is in doubt afterwards: nothing, everything, or whatever a notice named
   * that had to be forgotten to make room.
   */
  apply: (payload: string) => 'nothing' | 'forgotten' | 'everything';
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
  /** Increases with every notice. A read has to remember its value from before it began. */
  serial: () => number;
  /**
   * Returns true if a notice named a newer revision of one of these things. A scope without a known revision
   * is also old if a notice about it may have been forgotten that came after the read began.
   */
  isOld: (shown: readonly ShownScope[], readAtSerial: number) => boolean;
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
  /** Ordered by their last notices, because a Map keeps the order in which its keys are added. */
  const newest = new Map<RevisionScope, LastNotice>();
  /** The serial of the newest notice that was forgotten. */
  let forgotten = 0;
  let generation = 0;
  let count = 0;
  let serial = 0;
  const nextSerial = () => (serial += 1);
  const learn = (scope: RevisionScope, revision: bigint) => {
    count += 1;
    const known = newest.get(scope)?.revision ?? 0n;
    remember(scope, known < revision ? revision : known);
  };
  const remember = (scope: RevisionScope, revision: bigint) => {
    newest.delete(scope);
    newest.set(scope, { revision, serial: nextSerial() });
  };
  /** Makes room for a tenth, so that replicas need not prove again after every notice what they have. */
  const forgetOldest = () => {
    for (const [scope, notice] of newest) {
      if (newest.size <= 0.9 * most) return;
      newest.delete(scope);
      forgotten = notice.serial;
    }
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
        return 'everything';
      }
      for (const kind of movedKinds) {
        for (const [key, revision] of moved[kind] ?? []) learn(`${kind}:${key}`, revision);
      }
      for (const list of movedLists) if (moved[list] !== undefined) learn(list, moved[list]);
      if (newest.size <= most) return 'nothing';
      forgetOldest();
      return 'forgotten';
    },
    restart,
    generation: () => generation,
    lastNotice: (scope) => newest.get(scope),
    serial: () => serial,
    isOld: (shown, readAtSerial) =>
      shown.some(({ scope, revision }) => {
        const notice = newest.get(scope);
        return notice === undefined ? readAtSerial < forgotten : revision < notice.revision;
      }),
    correct(scope, lastNotice, onPrimary) {
      if (newest.get(scope) === lastNotice && onPrimary < lastNotice.revision) remember(scope, onPrimary);
    },
    count: () => count,
  };
}
