import { errorAnswer, type ApiError } from '../contract/errors.ts';
import type { Answer, Headers } from '../http/call.ts';

/** Renders an error as the API's JSON answer. */
export function errorOf(error: ApiError, headers: Headers): Answer {
  const { status } = error;
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      vary,
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      ...headers,
    },
    type: jsonContentType,
    body: { bytes: Buffer.from(JSON.stringify(errorAnswer(error))) },
  };
}

export const vary = 'Authorization, Accept-Encoding';
export const jsonContentType = 'application/json; charset=utf-8';
