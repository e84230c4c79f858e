import { type Check, fault } from '../finding.ts';

const mostReasons = 20;

/** Things that a publisher tried and could not publish. */
export const stuckThings: Check = async ({ pool }) => {
  const { rows } = await pool.query<{ kind: string; key: string; reason: string; things: string }>(
    `select kind, key, max(reason) as reason, count(*) over () as things
      from record.stale where reason is not null group by kind, key order by kind, key limit $1`,
    [mostReasons],
  );
  const findings = rows.map(({ kind, key, reason }) =>
    fault(
      `The ${kind} ${key} cannot be published: ${reason}. Import it again with a correction, or run \`wartable publish\` after an upgrade.`,
    ),
  );
  const more = Number(rows[0]?.things ?? 0) - rows.length;
  if (more > 0) findings.push(fault(`${more} more things cannot be published.`));
  return findings;
};
