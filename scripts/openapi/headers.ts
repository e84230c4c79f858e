import { Type, type TSchema } from 'typebox';

export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly schema: TSchema;
  readonly example: unknown;
}

export const headers = {
  ETag: {
    description: 'Weak tag of this version of the answer, for `If-None-Match`.',
    required: true,
    schema: Type.String({ pattern: '^W/"[^"]+"$' }),
    example: 'W/"q3Zt0vKkXw"',
  },
  CacheControl: {
    description: 'Do not share the stored answer, and revalidate it before each use.',
    required: true,
    schema: Type.Literal('private, no-cache'),
    example: 'private, no-cache',
  },
  NoStore: {
    description: 'Do not store a refusal: the next request may succeed.',
    required: true,
    schema: Type.Literal('no-store'),
    example: 'no-store',
  },
  ContentEncoding: {
    description: 'How the body is compressed. Only when the request accepts it and the body is large enough.',
    required: false,
    schema: Type.Unsafe<string>({ type: 'string', enum: ['br', 'gzip'] }),
    example: 'br',
  },
  Vary: {
    description: 'Request headers that the answer depends on.',
    required: true,
    schema: Type.String(),
    example: 'Authorization, Accept-Encoding',
  },
  RequestId: {
    description: 'Identifies this request in our logs. Quote it when you report a problem.',
    required: true,
    schema: Type.String(),
    example: '0198f2c4-6b0e-7d3a-9c51-2f7e8a4d1b60',
  },
  AllowOrigin: {
    description: 'Pages of any origin may read the answer.',
    required: true,
    schema: Type.Literal('*'),
    example: '*',
  },
  ExposeHeaders: {
    description: 'Headers that a page of another origin may read.',
    required: true,
    schema: Type.String(),
    example: 'ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
  },
  RetryAfter: {
    description: 'Try again after this many seconds.',
    required: true,
    schema: Type.Integer({ minimum: 0 }),
    example: 2,
  },
  Allow: {
    description: 'Methods that this address accepts.',
    required: true,
    schema: Type.String(),
    example: 'GET, HEAD',
  },
  Authenticate: {
    description: 'How to authenticate.',
    required: true,
    schema: Type.Literal('Bearer'),
    example: 'Bearer',
  },
  RateLimit: {
    description:
      'Experimental: what is left of the quota, in requests, and for how many seconds. Only when limits are switched on.',
    required: false,
    schema: Type.String(),
    example: '"key";r=540;t=31',
  },
  RateLimitPolicy: {
    description:
      'Experimental: the quota in requests and its window in seconds, of this key, of its account, or of failed authentications of this address. Only when limits are switched on.',
    required: false,
    schema: Type.String(),
    example: '"key";q=600;w=60',
  },
} as const satisfies Record<string, Header>;
type HeaderName = keyof typeof headers;

const fieldNames: Record<HeaderName, string> = {
  ETag: 'ETag',
  CacheControl: 'Cache-Control',
  NoStore: 'Cache-Control',
  ContentEncoding: 'Content-Encoding',
  Vary: 'Vary',
  RequestId: 'X-Request-Id',
  AllowOrigin: 'Access-Control-Allow-Origin',
  ExposeHeaders: 'Access-Control-Expose-Headers',
  RetryAfter: 'Retry-After',
  Allow: 'Allow',
  Authenticate: 'WWW-Authenticate',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
};

const everywhere = ['RequestId', 'AllowOrigin', 'ExposeHeaders'] as const;
const share = ['RateLimit', 'RateLimitPolicy'] as const;
const answer = ['ETag', 'CacheControl', 'Vary', ...everywhere, ...share] as const;
const refusal = ['NoStore', 'Vary', ...everywhere] as const;
const byStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  200: [...answer, 'ContentEncoding'],
  304: answer,
  400: [...refusal, ...share],
  401: ['Authenticate', ...refusal],
  404: [...refusal, ...share],
  405: ['Allow', ...refusal, ...share],
  410: [...refusal, ...share],
  429: ['RetryAfter', ...refusal, ...share],
  503: ['RetryAfter', ...refusal, ...share],
};

/**
 * Returns the header fields of an answer with this status: the name of each field, and the key of its
 * description.
 */
export function headersOf(status: number): { field: string; name: HeaderName }[] {
  const names: readonly HeaderName[] = byStatus[status] ?? refusal;
  return names.map((name) => ({ field: fieldNames[name], name }));
}
