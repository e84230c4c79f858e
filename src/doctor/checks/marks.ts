import { readOldMarks } from '../../record/backlog/examine.ts';
import { type Check, fault, type Finding, note } from '../finding.ts';

/**
 * Checks for marks that no publisher has drained. Those with a reason belong to things that cannot be
 * published.
 */
export const marks: Check = async ({ pool }) => {
  const rows = await readOldMarks(pool);
  return rows.map(({ rebuild, marks: count, since }): Finding =>
    rebuild
      ? note(
          `A rebuild is not finished: ${count} marks are left, the oldest since ${since}. If no publisher runs, run \`wartable publish\`.`,
        )
      : fault(
          `Changes are recorded and not published: ${count} marks are left, the oldest since ${since}. Run \`wartable publish\`.`,
        ),
  );
};
