import { readFailures } from '../../record/backlog/examine.ts';
import { type Check, fault } from '../finding.ts';

const maxReasons = 20;

/** Checks for things that a publisher has tried to publish without success. */
export const stuckThings: Check = async ({ pool }) => {
  const { failures, things } = await readFailures(pool, maxReasons);
  const findings = failures.map(({ kind, key, reason }) =>
    fault(
      `The ${kind} ${key} cannot be published: ${reason}. Import it again with a correction, or run \`wartable publish\` after an upgrade.`,
    ),
  );
  const more = things - failures.length;
  if (more > 0) findings.push(fault(`${more} more things cannot be published.`));
  return findings;
};
