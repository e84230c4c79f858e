import type { IncomingMessage } from 'node:http';
import { apiKeyPrefix } from '../../contract/authentication.ts';
import { errors } from '../../contract/errors.ts';
import { isWellFormedKey } from '../../keys/key.ts';
import type { Caller, KeyVerifier } from '../../keys/verifier.ts';
import { RefusedRequest } from './errors.ts';

/** The caller of a request, or one of the three 401s. Only a well-formed key costs a look at the database. */
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
  // Node keeps the first of two Authorization headers without a word. Which of them did a proxy check?
  const given = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization',
  );
  const header = given[0];
  if (given.length !== 1 || header === undefined) return undefined;
  // Not \s: to HTTP only spaces and tabs are white space, and the rest of Latin-1 belongs to the key.
  return /^bearer +([^ \t]+)$/i.exec(header)?.[1];
}
