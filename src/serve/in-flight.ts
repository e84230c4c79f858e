import type { ServerResponse } from 'node:http';
import { errors } from '../contract/errors.ts';
import { RefusedRequest } from './errors.ts';

let inFlight = 0;

/**
 * Takes one more request to the documents, or refuses it at once: with more than this under way, everybody would only
 * wait longer for the same few connections. Refusals that read nothing are not counted, nor are callers who wait for
 * one and the same key to be looked up.
 */
export function admit(response: ServerResponse, max: number): void {
  if (inFlight >= max) throw new RefusedRequest(errors.unavailable);
  inFlight += 1;
  // `close` comes after the last byte and also when the caller goes away.
  response.once('close', () => {
    inFlight -= 1;
  });
}

export function requestsInFlight(): number {
  return inFlight;
}
