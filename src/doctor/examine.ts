import { explainDatabaseError } from '../database/explain.ts';
import { audit } from './checks/audit.ts';
import { autovacuum } from './checks/autovacuum.ts';
import { backups } from './checks/backups.ts';
import { clock } from './checks/clock.ts';
import { changesCheck } from './checks/changes.ts';
import { documents } from './checks/documents.ts';
import { connectPrivilege } from './checks/connect-privilege.ts';
import { groupRoles } from './checks/group-roles.ts';
import { idleKeys } from './checks/idle-keys.ts';
import { marks } from './checks/marks.ts';
import { migrations } from './checks/migrations.ts';
import { replicas } from './checks/replicas.ts';
import { rights } from './checks/rights.ts';
import { schema } from './checks/schema.ts';
import { sourcesCheck } from './checks/sources.ts';
import { stuckThings } from './checks/stuck-things.ts';
import { trialKeyCheck } from './checks/trial-key.ts';
import { type Check, fault, type Finding, type Installation } from './finding.ts';

/**
 * Checks that come first, in this order. The others need a database that answers and has the whole schema of
 * this version.
 */
const ground: Check[] = [migrations, schema];
const others: Check[] = [
  audit,
  rights,
  groupRoles,
  connectPrivilege,
  replicas,
  marks,
  stuckThings,
  sourcesCheck,
  changesCheck,
  documents,
  backups,
  autovacuum,
  idleKeys,
  trialKeyCheck,
  clock,
];

/** Examines an installation and returns what is wrong. Changes nothing. */
export async function examine(installation: Installation): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const check of ground) {
    found.push(...(await run(check, installation)));
    if (found.length > 0) return found;
  }
  for (const check of others) found.push(...(await run(check, installation)));
  return found;
}

async function run(check: Check, installation: Installation): Promise<Finding[]> {
  try {
    return await check(installation);
  } catch (error) {
    const known = explainDatabaseError(
      error,
      'look at the whole installation: use the login that owns the database',
    );
    if (known === undefined) throw error;
    return [fault(`${known.charAt(0).toUpperCase()}${known.slice(1)}.`)];
  }
}
