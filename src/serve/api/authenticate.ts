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

function bearerToken({ rawHeaders }: IncomingMessage): string | undefined {
  // Node silently keeps the first of two Authorization headers. A proxy may have checked the other one.
  const given = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization',
  );
  const header = given[0];
  if (given.length !== 1 || header === undefined) return undefined;
  // Not \s: in HTTP only spaces and tabs are white space, and all other characters belong to the key.
  return /^bearer +([^ \t]+)$/i.exec(header)?.[1];
}
