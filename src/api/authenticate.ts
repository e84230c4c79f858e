import type { IncomingMessage } from 'node:http';
import { apiKeyPrefix } from '../contract/authentication.ts';
import { errors } from '../contract/errors.ts';
import { isWellFormedKey } from '../keys/key.ts';
import type { Caller } from '../keys/look-up.ts';
import type { KeyVerifier } from '../keys/verifier.ts';
import type { Limits, Share } from './limits.ts';
import { RefusedRequest } from '../http/refused.ts';

/**
 * Returns the caller of a request, or throws one of the three 401 errors. Only a well-formed key costs a
 * query.
 */
export async function authenticate(
  message: IncomingMessage,
  verifier: KeyVerifier,
): Promise<NonNullable<Caller>> {
  const key = bearerToken(message);
  if (key === undefined) throw new RefusedRequest(errors.missingAuthorization);
  if (!key.startsWith(apiKeyPrefix)) throw new RefusedRequest(errors.keyWithoutPrefix);
  if (!isWellFormedKey(key)) throw new RefusedRequest(errors.keyRefused);
  const caller = await verifier.verify(key);
  if (caller === undefined) throw new RefusedRequest(errors.keyRefused);
  return caller;
}

/**
 * Does the same as `authenticate`, but an address that fails too often gets a 429 instead. A key that was
 * found in the database before is always looked up.
 */
export async function authenticateWithin(
  limits: Limits,
  message: IncomingMessage,
  verifier: KeyVerifier,
): Promise<NonNullable<Caller>> {
  const refusal = limits.failedTooOften(message);
  if (refusal !== undefined && !verifier.isKnown(bearerToken(message) ?? '')) refuseAbove(refusal);
  try {
    return await authenticate(message, verifier);
  } catch (error) {
    if (error instanceof RefusedRequest) refuseAbove(await limits.countFailure(message));
    throw error;
  }
}

export function refuseAbove(share: Share): void {
  if (share.isRefused) throw aboveLimit(share);
}

export const aboveLimit = ({ headers }: Share) => new RefusedRequest(errors.rateLimited, headers);

export function bearerToken({ headers }: IncomingMessage): string | undefined {
  // Two Authorization headers never match, because Node joins them with a comma and a space
  // (joinDuplicateHeaders). A proxy in front of us may have checked only one of them. The pattern avoids \s
  // because HTTP treats only spaces and tabs as white space; every other character belongs to the key.
  return /^bearer +([^ \t]+)$/i.exec(headers.authorization ?? '')?.[1];
}
