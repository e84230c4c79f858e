import { type Check, fault, type Finding } from '../finding.ts';

const maxSeconds = 5;
/** Larger than any step that a time server makes. */
const maxAheadSeconds = 60;

/**
 * Checks the clocks. Revisions are times of the database, while cursors and limits use the clock of their
 * server.
 */
export const clock: Check = async ({ pool, now }) => {
  const findings: Finding[] = [];
  // The connection is open already, so only the time of the round trip counts.
  const before = now();
  const { rows } = await pool.query<{ database: number; ahead: number }>(`
    select extract(epoch from clock_timestamp())::float8 as database,
      coalesce(max(revision) / 1e6 - extract(epoch from clock_timestamp()), 0)::float8 as ahead
    from published.list_revision where list = 'tournaments'`);
  const after = now();
  const [{ database, ahead }] = rows as [{ database: number; ahead: number }];
  const skew = database < before / 1_000 ? before / 1_000 - database : Math.max(0, database - after / 1_000);
  if (skew > maxSeconds) {
    findings.push(
      fault(
        `The clock of this machine and that of the database differ by ${Math.round(skew)} s: let both follow the same time servers.`,
      ),
    );
  }
  if (ahead > maxAheadSeconds) {
    findings.push(
      fault(
        `The newest revision is ${Math.round(ahead)} s ahead of the clock of the database, which was set back: after a restore or a failover, revisions could repeat until the clock has passed it. Set the clock right.`,
      ),
    );
  }
  return findings;
};
