import { readOldMarks } from '../../record/backlog/examine.ts';
import { type Check, fault, type Finding, note } from '../finding.ts';

/**
 * Checks for marks that no publisher has drained. Those with a reason belong to things that cannot be
 * published.
 */
export const marks: Check = async ({ pool, savedAudit }) => {
  // After a restore, what the replay erased or hid must be published before servers start.
  const rows = await readOldMarks(pool, savedAudit === undefined ? 1 : 0);
  return rows.map(({ rebuild, marks: count, since }): Finding =>
    rebuild
      ? note(
          `A rebuild is not finished: ${left(count)}, the oldest since ${since}. If no publisher runs, run \`wartable publish\`.`,
        )
      : fault(
          `Changes have been recorded but not published: ${left(count)}, the oldest since ${since}. Run \`wartable publish\`.`,
        ),
  );
};

const left = (count: string): string => (count === '1' ? '1 mark is left' : `${count} marks are left`);
