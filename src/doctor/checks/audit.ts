import { findForgotten } from '../../audit/forgotten.ts';
import { type Check, fault, note, some } from '../finding.ts';

/** Checks that the database contains what operators did after the backup that has been restored. */
export const audit: Check = async ({ pool, savedAudit }) => {
  if (savedAudit === undefined) return [];
  const forgotten = await findForgotten(pool, savedAudit.entries);
  const named = (differs: boolean) =>
    forgotten
      .filter((each) => (each.differs !== undefined) === differs)
      .map(({ action, thing }) => `${action} ${thing}`);
  const [missing, differing] = [named(false), named(true)];
  return [
    ...(missing.length === 0
      ? []
      : [
          fault(
            `The database has forgotten ${some(missing)}: run \`wartable audit replay ${savedAudit.file}\` before servers start.`,
          ),
        ]),
    ...(differing.length === 0
      ? []
      : [note(`Since the restore, other things happened to what the file names: ${some(differing)}.`)]),
  ];
};
