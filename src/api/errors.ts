import { errorAnswer, type ApiError } from '../contract/errors.ts';
import { corsHeaders } from './cors.ts';

/** Thrown to refuse a request: one of the contract's errors, and the headers that go with it. */
export class RefusedRequest extends Error {
  readonly error: ApiError;
  readonly headers: Record<string, string>;

  constructor(error: ApiError, headers: Record<string, string> = {}) {
    super(error.message);
    this.name = 'RefusedRequest';
    this.error = error;
    this.headers = headers;
  }
}

export function errorBody(error: ApiError): string {
  return JSON.stringify(errorAnswer(error));
}

export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    'content-type': jsonContentType,
    'cache-control': 'no-store',
    vary: 'Authorization, Accept-Encoding',
    ...corsHeaders,
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error.status === 503 ? { 'retry-after': '1' } : {}),
  };
}

export const jsonContentType = 'application/json; charset=utf-8';
