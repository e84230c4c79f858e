import type { SavedAudit } from '../audit/forgotten.ts';
import type { Pool } from '../database/pool.ts';

/**
 * A result of a check. A fault needs an operator. A note reports a choice that the operator should know
 * about.
 */
export interface Finding {
  level: 'fault' | 'note';
  /** A sentence that says what is wrong and what to do. */
  sentence: string;
}

export interface Installation {
  /** Connected with the login of the owner or of a superuser. */
  pool: Pool;
  readUrls: string[];
  /** The key that the guides show. */
  trialKey?: string | undefined;
  /** If true, all documents are compared with a fresh derivation instead of a sample. */
  thorough: boolean;
  /** The audit that was saved after the backup that has been restored. */
  savedAudit?: (SavedAudit & { file: string }) | undefined;
  /** How old the newest backup may be. */
  backupAgeMs?: number | undefined;
  /** The clock of this machine. Only tests set it. */
  now: () => number;
}

export type Check = (installation: Installation) => Promise<Finding[]>;

export const fault = (sentence: string): Finding => ({ level: 'fault', sentence });
export const note = (sentence: string): Finding => ({ level: 'note', sentence });

const maxNamed = 10;

/** Joins the first names of a list, and adds how many more there are. */
export function some(names: string[]): string {
  const more = names.length - maxNamed;
  return names.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
