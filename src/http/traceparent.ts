import type { IncomingMessage } from 'node:http';

/** W3C Trace Context: version, trace, parent, flags. All zeros and the version ff are invalid. */
const valid = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The caller's place in a trace, for the log. Undefined when it is not valid: then no text of it is logged. */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  // Two headers are joined with a comma, so they are never valid.
  const given = headers['traceparent'] as string | undefined;
  return given !== undefined && valid.test(given) ? given : undefined;
}
