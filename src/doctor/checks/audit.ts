import { findForgotten, type ForgottenEntry } from '../../audit/forgotten.ts';
import { type Check, fault, note, some } from '../finding.ts';

/** Checks that the database contains what operators did after the backup that has been restored. */
export const audit: Check = async ({ pool, savedAudit }) => {
  if (savedAudit === undefined) return [];
  const forgotten = await findForgotten(pool, savedAudit);
  const named = (isMeant: (entry: ForgottenEntry) => boolean) =>
    forgotten.filter(isMeant).map(({ action, thing }) => `${action} ${thing}`);
  const missing = named(({ differs }) => differs === undefined);
  const open = named(({ isOpen }) => isOpen === true);
  const differing = named(({ differs, isOpen }) => differs !== undefined && !isOpen);
  return [
    ...(savedAudit.since === null
      ? []
      : [
          note(
            `${savedAudit.file} was saved with --since, so nothing is known about what happened before ${savedAudit.since.toISOString()}.`,
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          fault(
            `The database has forgotten ${some(missing)}: run \`wartable audit replay ${savedAudit.file}\` before servers start.`,
          ),
        ]),
    ...(open.length === 0
      ? []
      : [
          fault(
            `Since the restore, operators have opened what the file has closed: ${some(open)}. docs/backups.md says how to decide.`,
          ),
        ]),
    ...(differing.length === 0
      ? []
      : [note(`Since the restore, other things happened to what the file names: ${some(differing)}.`)]),
  ];
};
