import type { ApiError } from '../contract/errors.ts';
import { errors } from '../contract/errors.ts';
import type { extraParameters } from '../contract/extra/endpoints.ts';
import { extraErrors } from '../contract/extra/errors.ts';
import { defaultLimit, maximumLimit, type queryParameters } from '../contract/parameters.ts';
import { tournamentStatuses } from '../contract/tournament.ts';
import { RefusedRequest } from '../http/refused.ts';

type Named = typeof queryParameters & typeof extraParameters;
type ParameterName = Named[keyof Named]['name'];

/** The values of the parameters that the endpoint knows, as given. The rest of the query is ignored. */
export type Query = ReadonlyMap<ParameterName, string>;

/**
 * Reads the known parameters of a query.
 *
 * We have our own parser because the available ones keep the last of two values or make a list of them, and
 * read every plus as a space. Here a known parameter may be given only once. Text that cannot be decoded stays as
 * it is, and is then not a valid value for any parameter.
 */
export function readQuery(target: string, known: readonly ParameterName[]): Query {
  const query = new Map<ParameterName, string>();
  const start = target.indexOf('?');
  if (start < 0) return query;
  for (const pair of target.slice(start + 1).split('&')) {
    const equals = pair.indexOf('=');
    const given = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const name = known.find((each) => each === given);
    if (name === undefined) continue;
    if (query.has(name)) throw new RefusedRequest(givenTwice[name]);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    query.set(name, decoded(writtenByForms.has(name) ? value.replaceAll('+', ' ') : value));
  }
  return query;
}

/** Parameters with words in them, whose spaces most HTTP libraries write as a plus. */
const writtenByForms: ReadonlySet<ParameterName> = new Set(['q', 'pack']);

export function readLimit(query: Query): number {
  const given = query.get('limit');
  if (given === undefined) return defaultLimit;
  // Digits only: Number() would also accept 1e2, 0x10 and leading spaces.
  if (!/^0*[1-9][0-9]*$/.test(given)) throw new RefusedRequest(errors.limitNotPositive);
  const limit = Number(given);
  if (limit > maximumLimit) throw new RefusedRequest(errors.limitTooLarge);
  return limit;
}

export function readStatus(query: Query): string | undefined {
  const given = query.get('status');
  if (given === undefined) return undefined;
  const status = tournamentStatuses.find((known) => known === given);
  if (status === undefined) throw new RefusedRequest(errors.unknownStatus);
  return status;
}

const givenTwice: Record<ParameterName, ApiError> = {
  limit: errors.limitTwice,
  cursor: errors.invalidCursor,
  from: errors.fromTwice,
  to: errors.toTwice,
  status: errors.statusTwice,
  stage: errors.stageTwice,
  q: extraErrors.queryTwice,
  kind: extraErrors.kindTwice,
  after: extraErrors.invalidAfter,
  window: extraErrors.windowTwice,
  pack: extraErrors.packTwice,
  length: extraErrors.lengthTwice,
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
