import type { Pool } from '../database/pool.ts';
import type { StaleKind } from '../record/stale.ts';

export interface PublishSettings {
  /** Battles in one transaction, at most; only tests lower it. */
  mostBattles?: number;
}

/** How one kind of marked thing is published: a batch of keys, in one transaction. */
export interface KindPublisher {
  kind: StaleKind;
  /** Keys in one batch, at most. */
  most: number;
  /** Leaves away what would make the batch too heavy. */
  lighten?: (pool: Pool, keys: string[], settings: PublishSettings) => Promise<string[]>;
  publish: (pool: Pool, keys: string[]) => Promise<PublishResult>;
}

export interface PublishTotals {
  /** Things published; not those that another publisher works on. */
  things: number;
  /** Rows of documents and index rows that came or went. */
  rows: number;
  failed: Failure[];
}

/** Of one batch. */
export interface PublishResult extends PublishTotals {
  /** Things that must wait until something else is published. Their marks stay for the next turn. */
  postponed: Postponed[];
}

export function nothingPublished(): PublishResult {
  return { things: 0, rows: 0, failed: [], postponed: [] };
}

/** What could not be published: its marks stay, with the reason. */
export interface Failure {
  kind: StaleKind;
  key: string;
  reason: string;
}

export interface Postponed extends Failure {
  /** The tournament it waits for, if it is one. */
  waitsFor?: string;
}

export const notDerived = Symbol('not derived');

/**
 * Derives one thing. Deriving is pure, so whatever goes wrong in it is wrong with that thing alone: it stays as it was,
 * and the others are published.
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
