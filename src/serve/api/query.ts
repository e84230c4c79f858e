import type { ApiError } from '../../contract/errors.ts';
import { errors } from '../../contract/errors.ts';
import { defaultLimit, maximumLimit } from '../../contract/parameters.ts';
import { tournamentStatuses } from '../../contract/tournament.ts';
import { RefusedRequest } from './errors.ts';

type ParameterName = 'limit' | 'cursor' | 'from' | 'to' | 'status' | 'stage';

/** The parameters an endpoint knows, as given; the rest of the query is ignored. */
export type Query = ReadonlyMap<ParameterName, string>;

/**
 * Splits the query by hand: the parsers at hand keep the last of two values, or make a list of them, and take a plus
 * for a space. Here a parameter that the endpoint knows may be given once. What cannot be decoded stays as it stands,
 * and is then no valid value of anything.
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
    query.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  return query;
}

export function readLimit(query: Query): number {
  const given = query.get('limit');
  if (given === undefined) return defaultLimit;
  // Digits and nothing else: Number() would take 1e2, 0x10 and a space before.
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
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
