import { InvalidArgumentError, Option } from 'commander';
import { sourceName } from '../../config/values.ts';

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
