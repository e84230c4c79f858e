/** For a refusal of our own that is worth another try. */
export class Unavailable extends Error {}

/** Refused because too much is under way. Metrics count it: a log line of its own would cost more than the refusal. */
export class Overloaded extends Unavailable {}

/**
 * Whether an error says that the database cannot answer at the moment, as opposed to having answered with a refusal.
 * The first is worth another try and a 503; the second is a defect.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  if (error instanceof Unavailable) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return unavailableCodes.some((pattern) => pattern.test(code));
  // The driver's own failures carry no code.
  return driverMessages.some((pattern) => pattern.test(error.message));
}

const unavailableCodes = [
  /^08/, // connection exceptions
  /^53/, // insufficient resources: too many connections, out of memory, disk full
  /^57P0/, // shutting down, starting up, crashed, database dropped
  /^57014$/, // statement timeout
  /^25006$/, // a write sent to a standby
  /^40001$/, // on a standby: replay was in the way of the query
  // No such login, database, schema or table, or no right to it: nobody can be served until somebody sets it right.
  /^(28|3D000$|3F000$|42P01$|42501$)/,
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)$/,
  /^ENOENT$/, // a unix socket that is not there
];

const driverMessages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
];
