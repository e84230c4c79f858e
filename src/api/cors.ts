import type { IncomingMessage } from 'node:http';

// Pages of any origin may call the API: all data is public, and the key is not a cookie that a browser sends
// by itself. Every answer has these headers, including refusals and answers to broken messages, because
// otherwise a page could not read why it was refused.
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
};

export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': '86400',
};

/** Recognises a CORS preflight. Any other OPTIONS request needs a key. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
