import { InvalidArgumentError } from 'commander';

/** Parses a name, label or contact, which must fit into one cell of a table. */
export function oneLine(given: string): string {
  if (!/\S/.test(given) || /\p{Cc}/u.test(given) || given.length > 200) {
    throw new InvalidArgumentError('It must be a text of at most 200 characters, on one line.');
  }
  return given;
}
