import { errorAnswer, type ApiError } from '../contract/errors.ts';
import { corsHeaders } from './cors.ts';

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
