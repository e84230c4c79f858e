import { explainDatabaseError, noDatabaseAnswers } from '../database/explain.ts';
import type { Pool } from '../database/pool.ts';

export interface ReadinessOptions {
  /** The primary first, then the replicas. */
  documents: Pool[];
  keys: Pool[];
}

/** Undefined when some database can verify keys and some database can read documents. Otherwise what to repair. */
export async function whyNotReady({ documents, keys }: ReadinessOptions): Promise<string | undefined> {
  return (
    (await whyNone(documents, 'read documents', 'select from published.tournament_list limit 1')) ??
    (await whyNone(keys, 'verify keys', "select from keys.check_key('')"))
  );
}

async function whyNone(pools: Pool[], may: string, statement: string): Promise<string | undefined> {
  try {
    await Promise.any(pools.map((pool) => pool.query(statement)));
    return undefined;
  } catch (error) {
    // The errors are in the order of the pools, so the first is the primary's.
    const [first] = (error as AggregateError).errors;
    return explainDatabaseError(first, `${may}: grant it wartable_serve`) ?? noDatabaseAnswers;
  }
}
