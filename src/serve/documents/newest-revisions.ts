/** What has a revision. */
export type RevisionScope = `${'tournament' | 'club' | 'player' | 'battle'}:${string}` | 'tournaments';

export const publishedChannel = 'wartable_published';

/** The newest revision heard of, per thing: what a replica has to have caught up with. */
export interface NewestRevisions {
  /** Takes a notice in. False when it does not say what moved, or there is no room to keep it: then all may have. */
  apply: (payload: string) => boolean;
  /** Whether something newer was heard of than a copy with this revision, or than no copy at all. */
  isNewer: (scope: RevisionScope, revision: string | undefined) => boolean;
}

export function createNewestRevisions(most = 100_000): NewestRevisions {
  const newest = new Map<string, bigint>();
  return {
    apply(payload) {
      const moved = movedIn(payload);
      if (moved === undefined) return false;
      for (const [scope, revision] of moved) {
        const known = newest.get(scope);
        if (known === undefined || known < revision) newest.set(scope, revision);
      }
      if (newest.size <= most) return true;
      newest.clear();
      return false;
    },
    isNewer(scope, revision) {
      const known = newest.get(scope);
      return known !== undefined && (revision === undefined || BigInt(revision) < known);
    },
  };
}

/** Undefined for everything that is not a list of moves: the publisher's own word for it, or somebody's nonsense. */
function movedIn(payload: string): [string, bigint][] | undefined {
  const notice = parsed(payload);
  if (!isObject(notice) || !isObject(notice['moved'])) return undefined;
  const moves: [string, bigint][] = [];
  for (const [kind, things] of Object.entries(notice['moved'])) {
    const entries = isObject(things)
      ? Object.entries(things).map(([key, revision]) => [`${kind}:${key}`, revision] as const)
      : [[kind, things] as const];
    for (const [scope, revision] of entries) {
      if (typeof revision !== 'string' || !/^[0-9]{1,18}$/.test(revision)) return undefined;
      moves.push([scope, BigInt(revision)]);
    }
  }
  return moves;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
