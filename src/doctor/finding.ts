import type { NotedEntry } from '../audit/entries.ts';
import type { Pool } from '../database/pool.ts';

/** A fault needs an operator. A note is a choice that the operator should know about. */
export interface Finding {
  level: 'fault' | 'note';
  /** What is wrong, and what to do. */
  sentence: string;
}

export interface Installation {
  /** With the login of the owner, or of a superuser. */
  pool: Pool;
  readUrls: string[];
  /** Compare all documents with a fresh derivation, not a sample. */
  thorough: boolean;
  /** The audit that was saved after the backup that was restored. */
  savedAudit?: { file: string; entries: NotedEntry[] } | undefined;
  /** The clock of this machine. Only tests set it. */
  now: () => number;
}

export type Check = (installation: Installation) => Promise<Finding[]>;

export const fault = (sentence: string): Finding => ({ level: 'fault', sentence });
export const note = (sentence: string): Finding => ({ level: 'note', sentence });

const maxNamed = 10;

/** The first names of a list, and how many more there are. */
export function some(names: string[]): string {
  const more = names.length - maxNamed;
  return names.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
