import type { NewestRevisions, ShownScope } from './newest-revisions.ts';

// What is kept in memory is judged when it is used, so the order in which notices and reads arrive does not matter.

export interface FreshnessOptions {
  newestRevisions: NewestRevisions;
  isListening: () => boolean;
  /** Every notice of an earlier commit has arrived. A connection can break without any signal. */
  lastNoticeAt: () => number;
  now?: () => number;
}

/** What a read must remember from before it began. */
export interface ReadMoment {
  generation: number;
  /** What was read is at least as new as this: when its read began, or the last notice that could judge a replica. */
  readAt: number;
}

export function createFreshness({
  newestRevisions,
  isListening,
  lastNoticeAt,
  now = () => performance.now(),
}: FreshnessOptions) {
  return {
    begin: (): ReadMoment => ({
      generation: newestRevisions.generation(),
      readAt: isListening() ? Math.min(now(), lastNoticeAt()) : now(),
    }),
    ageOf: ({ readAt }: ReadMoment): number => now() - readAt,
    /**
     * It must be of this generation, no notice may have named a newer revision of anything that it shows, and while we do
     * not listen it must be younger than 5 s.
     */
    isCurrent({ generation, readAt, scopes }: ReadMoment & { scopes: readonly ShownScope[] }): boolean {
      if (generation !== newestRevisions.generation()) return false;
      if (!isListening() && now() - readAt >= longestDeafMs) return false;
      return !newestRevisions.isOld(scopes);
    },
  };
}

/** What is kept is at most this old while we hear no notices. */
const longestDeafMs = 5_000;
