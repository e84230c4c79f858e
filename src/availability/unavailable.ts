/** Our own refusal of a request that the caller may retry. */
export class Unavailable extends Error {}

/**
 * A refusal because of overload. Metrics count it, but it is not logged, because a log line would cost more
 * than the refusal.
 */
export class Overloaded extends Unavailable {}

/**
 * Returns true if an error means that the database cannot answer at the moment. The caller then gets a 503
 * and may retry. Any other error is an answer from the database, and a defect of ours.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Unavailable || isKnown(error, unavailableCodes, driverMessages);
}

/**
 * Returns true if the database is unreachable, starting up or short of something. Before the first
 * connection, waiting helps with nothing else: any other error is a mistake in the settings.
 */
export function isAway(error: unknown): boolean {
  return error instanceof Unavailable || isKnown(error, awayCodes, driverMessages);
}

/**
 * Returns true if an error means that this connection can no longer be used. Nothing is known about a
 * transaction that was open on it. A standby counts, too, because after a failover the old address may lead
 * to one.
 */
export function isConnectionLoss(error: unknown): boolean {
  return isKnown(error, lossCodes, lossMessages);
}

/** Looks at the code of an error, or at its message if it has none, as with the driver's own failures. */
function isKnown(error: unknown, codes: RegExp[], messages: RegExp[]): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => isKnown(each, codes, messages));
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  const [patterns, text] = typeof code === 'string' ? [codes, code] : [messages, error.message];
  return patterns.some((pattern) => pattern.test(text));
}

/**
 * Returns true if the database has no disk space, memory or connection left for the work. It has undone what
 * it had begun.
 */
export function isShortage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && shortageCodes.test(code);
}

/** Returns true if the same work may succeed later on a new connection. */
export function isOutage(error: unknown): boolean {
  return isConnectionLoss(error) || isShortage(error);
}

/**
 * Returns true if the database may answer again by itself. A mistake in the settings stays until an operator
 * corrects it.
 */
export function isTemporary(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return isUnavailable(error) && !(typeof code === 'string' && settingCodes.test(code));
}

/** No such login, database, schema or table, or no right to it. */
const settingCodes = /^(28|3D000$|3F000$|42P01$|42501$)/;

/** Disk full, out of memory, too many connections. */
const shortageCodes = /^53[123]/;

const socketCodes =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)$/;

const lossCodes = [
  /^08/, // connection exceptions
  /^57P0/, // shutting down, starting up, crashed, ended by an administrator
  /^25P03$/, // idle in a transaction for too long
  /^25006$/, // a write sent to a standby
  socketCodes,
];

const awayCodes = [
  /^08/, // connection exceptions
  shortageCodes,
  /^57P0/, // shutting down, starting up, crashed, database dropped
  socketCodes,
  /^ENOENT$/, // no such unix socket
];

const unavailableCodes = [
  ...awayCodes,
  /^53/, // insufficient resources: a shortage, or a limit of the settings
  /^57014$/, // statement timeout
  /^25P03$/, // idle in a transaction for too long
  /^25006$/, // a write sent to a standby
  /^40001$/, // on a standby: the query conflicted with replay
  settingCodes, // no request works until an operator repairs it
];

const lossMessages = [
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
];

const driverMessages = [
  ...lossMessages,
  /^timeout exceeded when trying to connect/,
  // The message of a pg.Client without a pool.
  /^timeout expired$/,
  /^Query read timeout/,
];
