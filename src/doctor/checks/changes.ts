import { readWaitingChanges } from '../../publish/number-changes.ts';
import { type Check, fault } from '../finding.ts';

/** Checks for changes without a sequence number, of which callers who follow changes do not learn. */
export const changesCheck: Check = async ({ pool }) => {
  const waiting = await readWaitingChanges(pool);
  if (waiting === undefined) return [];
  return [
    fault(
      `Changes have been published but not listed for those who follow them (${waiting.changes} waiting, the oldest since ${waiting.since}). Run \`wartable publish\`.`,
    ),
  ];
};
