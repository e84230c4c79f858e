import { isUnavailable } from '../availability/unavailable.ts';

/**
 * A state of the database that an operator can repair. The message says how, worded like the sentences below.
 */
export class DatabaseFault extends Error {}

/**
 * Says what is wrong with the database and what to do about it, in the words that `/ready` and all commands
 * use. Returns undefined if the error has another cause. `missingRight` is for a login that lacks rights: it
 * says what the login may not do, and how it gets the right.
 */
export function explainDatabaseError(error: unknown, missingRight: string): string | undefined {
  if (error instanceof DatabaseFault) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === '42501') return `this login may not ${missingRight}`;
  if (code === '28000' && error.message.includes('no encryption')) return onlyEncrypted;
  const [table, text] = code === '' ? [byMessage, error.message] : [byCode, code];
  const known = table.find(([pattern]) => pattern.test(text));
  if (known) return known[1];
  // If all addresses of a host failed, explain the error of the one that was tried first.
  if (error instanceof AggregateError && code === '')
    return explainDatabaseError(error.errors[0], missingRight);
  return isUnavailable(error) ? noDatabaseAnswers : undefined;
}

export const noDatabaseAnswers = 'no database answers: check DATABASE_URL and that PostgreSQL runs';

const loginRefused =
  'the database refuses this login: check user and password in DATABASE_URL, and `pg_hba.conf` of the server';
const connectionLost = 'the connection to the database was lost: check that PostgreSQL runs, then try again';
const onlyEncrypted =
  'the database takes only encrypted connections from here: add `?sslmode=verify-full` to DATABASE_URL';
const noEncryption =
  'the connection to the database cannot be encrypted: check `sslmode` in DATABASE_URL and the certificate';

type Faults = [pattern: RegExp, words: string][];

const byCode: Faults = [
  [/^(42P01|3F000)$/, 'the database is not migrated: run `wartable migrate`'],
  // A missing column or function means that a new program meets an old schema.
  [/^(42703|42883)$/, 'the database is not migrated to this version: run `wartable migrate`'],
  [/^3D000$/, 'there is no such database: create it, or correct its name in DATABASE_URL'],
  [/^28/, loginRefused],
  [/^25006$/, 'the database is read-only: DATABASE_URL must name the primary'],
  [/^53100$/, 'the disk of the database is full: free some space, then try again'],
  [/^53200$/, 'the database has no free memory: give it more, or run less at once, then try again'],
  [/^53(000|400)$/, 'the database refused work above one of its limits: see its log, then try again'],
  [/^53300$/, 'the database has no free connection: close some, or raise its `max_connections`'],
  [/^57014$/, 'the database cancelled a statement: try again'],
  [/^57P03$/, 'the database is starting or stopping: try again in a moment'],
  [/^(57P0[125]|25P03|ECONNRESET|EPIPE)$/, connectionLost],
  [/^40(001|P01)$/, 'another process was in the way again and again: try again'],
  [/CERT|SIGNATURE/, noEncryption],
];

/** The driver's own errors have no code. */
const byMessage: Faults = [
  [/^SASL: /, loginRefused],
  [/^Connection terminated( unexpectedly)?$/, connectionLost],
  [/^(The server does not support SSL|There was an error establishing an SSL)/, noEncryption],
];
