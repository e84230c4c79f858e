import type { NewestRevisions, ShownScope } from './newest-revisions.ts';

// Whatever is kept in memory is judged when it is used, so the order in which notices and reads arrive does
// not matter.

export interface FreshnessOptions {
  newestRevisions: NewestRevisions;
  isListening: () => boolean;
  /**
   * Returns a time up to which the notices of all commits have arrived. A connection can break without any
   * signal.
   */
  lastNoticeAt: () => number;
  now?: () => number;
}

/** The state before a read began, which the read must remember. */
export interface ReadMoment {
  generation: number;
  /** The serial of the last notice. */
  serial: number;
  /**
   * A time that the data is at least as new as: the start of its read, or the last notice by which a replica
   * could be judged.
   */
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
      serial: newestRevisions.serial(),
      readAt: isListening() ? Math.min(now(), lastNoticeAt()) : now(),
    }),
    ageOf: ({ readAt }: ReadMoment): number => now() - readAt,
    /**
     * Returns true if something kept may still be sent: it must be of this generation, no notice may have
     * named a newer revision of anything that it shows, and while we do not listen it must be younger than 5
     * seconds.
     */
    isCurrent({
      generation,
      serial,
      readAt,
      scopes,
    }: ReadMoment & { scopes: readonly ShownScope[] }): boolean {
      if (generation !== newestRevisions.generation()) return false;
      if (!isListening() && now() - readAt >= longestDeafMs) return false;
      return !newestRevisions.isOld(scopes, serial);
    },
  };
}

/** The maximum age of what is kept while we receive no notices. */
const longestDeafMs = 5_000;
