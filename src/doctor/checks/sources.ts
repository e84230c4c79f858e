import { listSources } from '../../record/sources/list.ts';
import { type Check, fault } from '../finding.ts';

/** Checks for sources that have been silent for longer than expected, or whose records were refused. */
export const sourcesCheck: Check = async ({ pool }) => {
  const all = await listSources(pool);
  return all.flatMap(({ name, lastSentAt, isLate, isRefusing, lastRefusal }) => [
    ...(isLate
      ? [
          fault(
            `The source ${name} ${lastSentAt === null ? 'has never sent anything' : `last sent something at ${lastSentAt.toISOString()}`}: start its import, or say with \`wartable sources expect ${name} none\` that silence is normal.`,
          ),
        ]
      : []),
    ...(isRefusing
      ? [
          fault(
            `Something from the source ${name} was refused, last at ${lastRefusal ?? 'an unknown line'}: correct it, and send it again.`,
          ),
        ]
      : []),
  ]);
};
