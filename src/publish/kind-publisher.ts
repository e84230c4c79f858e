import type { Pool } from '../database/pool.ts';
import type { MarkedKind } from '../record/backlog/marks.ts';
import type { Failure } from '../record/backlog/drain.ts';

export interface PublishSettings {
  /** Maximum number of battles in one transaction. Only tests lower it. */
  maxBattles?: number;
}

/** Publishes things of one kind, one batch of keys per transaction. */
export interface KindPublisher {
  kind: MarkedKind;
  /** Maximum number of keys in one batch. */
  max: number;
  /** Cuts a batch down to what one transaction can carry. */
  lighten?: (pool: Pool, keys: string[], settings: PublishSettings) => Promise<string[]>;
  /**
   * Publishes one batch. `isRetry` means that the last attempt met a conflict. The cause may be rows that
   * should no longer exist, so a retry also removes those in its way.
   */
  publish: (pool: Pool, keys: string[], isRetry?: boolean) => Promise<PublishResult>;
}

export interface PublishTotals {
  /** Number of things published, without those that another publisher is working on. */
  things: number;
  /** Number of rows of documents and index rows that were inserted or deleted. */
  rows: number;
  failed: Failure[];
}

/** The result of one batch. */
export interface PublishResult extends PublishTotals {
  /** Things that must wait until something else is published. Their marks stay for the next turn. */
  postponed: Postponed[];
  /** Number of things that are done but not shown: drafts and removed tournaments. */
  hidden: number;
}

export function nothingPublished(): PublishResult {
  return { things: 0, rows: 0, failed: [], postponed: [], hidden: 0 };
}

export interface Postponed extends Failure {
  waitsFor: { kind: MarkedKind; key: string };
}

export const notDerived = Symbol('not derived');

/**
 * Derives one thing. Deriving is pure, so an error concerns only that thing. It stays as it is published, and
 * the others are published.
 */
export function derive<T>(
  result: PublishResult,
  kind: MarkedKind,
  key: string,
  work: () => T,
): T | typeof notDerived {
  try {
    return work();
  } catch (error) {
    result.failed.push({ kind, key, reason: error instanceof Error ? error.message : String(error) });
    return notDerived;
  }
}
