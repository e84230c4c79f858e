import type { Pool } from '../database/pool.ts';
import type { StaleKind } from '../record/backlog/marks.ts';
import type { Failure } from '../record/backlog/drain.ts';

export interface PublishSettings {
  /** At most this many battles in one transaction. Only tests lower it. */
  maxBattles?: number;
}

/** Publishes things of one kind: a batch of keys in one transaction. */
export interface KindPublisher {
  kind: StaleKind;
  /** At most this many keys in one batch. */
  max: number;
  /** Cuts a batch down to what one transaction can carry. */
  lighten?: (pool: Pool, keys: string[], settings: PublishSettings) => Promise<string[]>;
  /** `isRetry`: the batch met a conflict. Rows that were left behind may be in its way, so it looks closer. */
  publish: (pool: Pool, keys: string[], isRetry?: boolean) => Promise<PublishResult>;
}

export interface PublishTotals {
  /** Things published; not those that another publisher works on. */
  things: number;
  /** Rows of documents and index rows, inserted or deleted. */
  rows: number;
  failed: Failure[];
}

/** Of one batch. */
export interface PublishResult extends PublishTotals {
  /** Things that must wait until something else is published. Their marks stay for the next turn. */
  postponed: Postponed[];
  /** How many things are done and not shown: drafts, and removed tournaments. */
  hidden: number;
}

export function nothingPublished(): PublishResult {
  return { things: 0, rows: 0, failed: [], postponed: [], hidden: 0 };
}

export interface Postponed extends Failure {
  waitsFor: { kind: StaleKind; key: string };
}

export const notDerived = Symbol('not derived');

/**
 * Derives one thing. Deriving is pure, so an error in it concerns that thing alone. The thing stays as it is published,
 * and we publish the others.
 */
export function derive<T>(
  result: PublishResult,
  kind: StaleKind,
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
