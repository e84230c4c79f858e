import type { IncomingMessage } from 'node:http';

/**
 * The syntax of W3C Trace Context: version, trace, parent, flags. All zeros and the version ff are invalid.
 */
const valid = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/**
 * Returns the caller's position in a trace, for the log. Returns undefined if it is invalid, so that no part
 * of it is logged.
 */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  // Two headers are joined with a comma, so they are never valid.
  const given = headers['traceparent'] as string | undefined;
  return given !== undefined && valid.test(given) ? given : undefined;
}
