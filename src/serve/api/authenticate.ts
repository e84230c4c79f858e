import type { IncomingMessage } from 'node:http';
import { apiKeyPrefix } from '../../contract/authentication.ts';
import { errors } from '../../contract/errors.ts';
import { isWellFormedKey } from '../../keys/key.ts';
import type { Caller, KeyVerifier } from '../../keys/verifier.ts';
import { RefusedRequest } from './errors.ts';

/** Returns the caller of a request, or throws one of the three 401s. Only a well-formed key costs a query. */
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

export function bearerToken({ headers }: IncomingMessage): string | undefined {
  // Two Authorization headers never match: Node joins them with a comma and a space (joinDuplicateHeaders). A proxy may
  // have checked only one of them.
  // Not \s: in HTTP only spaces and tabs are white space, and all other characters belong to the key.
  return /^bearer +([^ \t]+)$/i.exec(headers.authorization ?? '')?.[1];
}
