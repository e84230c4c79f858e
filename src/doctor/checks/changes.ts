import { readWaitingChanges } from '../../publish/number-changes.ts';
import { type Check, fault } from '../finding.ts';

/** Changes without a place. Callers who follow changes do not learn of them. */
export const changes: Check = async ({ pool }) => {
  const waiting = await readWaitingChanges(pool);
  if (waiting === undefined) return [];
  return [
    fault(
      `Changes are published and not listed for those who follow them: ${waiting.changes} wait, the oldest since ${waiting.since}. Run \`wartable publish\`.`,
    ),
  ];
};
