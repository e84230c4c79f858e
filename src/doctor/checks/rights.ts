import { readRightDifferences } from '../../database/group-rights.ts';
import { type Check, fault, note, some } from '../finding.ts';

/**
 * Checks the rights of the group roles. PostgreSQL is the boundary between servers and facts, so they must be
 * exactly these.
 */
export const rights: Check = async ({ pool }) => {
  const rows = await readRightDifferences(pool);
  const findings = [];
  for (const role of ['wartable_serve', 'wartable_publish', 'wartable_keys']) {
    const of = (missing: boolean) =>
      rows.filter((row) => row.role === role && row.missing === missing).map((row) => row.right);
    const [lacks, exceeds] = [of(true), of(false)];
    if (lacks.length > 0) {
      findings.push(fault(`The group role ${role} lacks ${some(lacks)}: run \`wartable migrate\`.`));
    }
    if (exceeds.length > 0) {
      findings.push(
        fault(
          `The group role ${role} has more rights than it needs: revoke ${some(exceeds)}, also from PUBLIC.`,
        ),
      );
    }
  }
  const { rows: open } = await pool.query<{ open: boolean }>(
    "select has_function_privilege('public', 'lo_create(oid)', 'EXECUTE') as open",
  );
  if (open[0]?.open) {
    findings.push(
      note('Every login may create large objects: run `wartable migrate` as a superuser to close that.'),
    );
  }
  return findings;
};
