import { explainMissing, missingObjects } from '../../database/schema.ts';
import { type Check, fault } from '../finding.ts';

/** Checks for tables, columns, functions and group roles that were dropped, or that a restore left out. */
export const schema: Check = async ({ pool }) => {
  const missing = await missingObjects(pool);
  return missing.length === 0 ? [] : [fault(explainMissing(missing))];
};
