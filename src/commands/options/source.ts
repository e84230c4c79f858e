import { InvalidArgumentError, Option } from 'commander';
import type { ClientBase } from 'pg';
import { sourceName } from '../../config/values.ts';
import type { Pool } from '../../database/pool.ts';
import { Refused } from '../../failures/explain.ts';
import { isSource } from '../../record/sources/list.ts';

/** Parses the name of a source that was given on the command line. */
export function sourceArgument(given: string): string {
  try {
    return sourceName(given);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
}

/** Creates the option that names a source. Without it, commands use the setting IMPORT_SOURCE. */
export const sourceOption = (description: string): Option =>
  new Option('--source <name>', `${description} (default: IMPORT_SOURCE)`).argParser(sourceArgument);

/**
 * Refuses to look at what an unknown source owns. It owns nothing, so a misspelt name would look like a source
 * of which nothing is left over.
 */
export async function refuseUnknownSource(client: Pool | ClientBase, name: string): Promise<void> {
  if (!(await isSource(client, name))) throw unknownSource(name);
}

export const unknownSource = (name: string): Refused =>
  new Refused(`There is no source ${name}: \`wartable sources\` lists all.`);
