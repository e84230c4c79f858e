import { type Check, fault, note } from '../finding.ts';

/** The maximum age of a backup: a day and two hours. The alerts have the same limit. */
const longestMs = 26 * 3_600_000;

export const backups: Check = async ({ pool, savedAudit, backupAgeMs = longestMs }) => {
  const { rows } = await pool.query<{ at: Date; isOld: boolean }>(
    // A time in the future was written while the clock was wrong, and nobody knows when that was.
    `select done_at as at, abs(extract(epoch from now() - done_at)) * 1000 > $1 as "isOld"
      from published.task where name = 'backup'`,
    [backupAgeMs],
  );
  const [newest] = rows;
  if (newest === undefined)
    return [
      note(
        '`wartable backup` has never made a backup: start its timer, or make sure that you have another way.',
      ),
    ];
  if (!newest.isOld) return [];
  // A restored database knows only of the backup before the one that it was restored from.
  if (savedAudit !== undefined)
    return [
      note(
        `The restored database knows of no backup since ${newest.at.toISOString()}: make one when the servers have started.`,
      ),
    ];
  return [
    fault(
      `The newest good backup is from ${newest.at.toISOString()}: look at the log of \`wartable backup\`.`,
    ),
  ];
};
