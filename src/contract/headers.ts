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
    description: 'Keep the answer for yourself, and ask whether it still holds before using it again.',
    required: true,
    schema: Type.Literal('private, no-cache'),
    example: 'private, no-cache',
  },
  Vary: {
    description: 'Request headers that the answer depends on.',
    required: true,
    schema: Type.String(),
    example: 'Authorization, Accept-Encoding',
  },
  RequestId: {
    description: 'Names this request in our logs; quote it when reporting a problem.',
    required: true,
    schema: Type.String(),
    example: '0198f2c4-6b0e-7d3a-9c51-2f7e8a4d1b60',
  },
  RetryAfter: {
    description: 'After how many seconds it is worth trying again.',
    required: true,
    schema: Type.Integer({ minimum: 0 }),
    example: 2,
  },
  Allow: {
    description: 'Methods that are answered here.',
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
      'What is left of the share of this key, and for how long. Only where limits are switched on.',
    required: false,
    schema: Type.String(),
    example: '"key";r=540;t=31',
  },
  RateLimitPolicy: {
    description: 'The share of this key. Only where limits are switched on.',
    required: false,
    schema: Type.String(),
    example: '"key";q=600;w=60',
  },
} as const satisfies Record<string, Header>;
type HeaderName = keyof typeof headers;

const fieldNames: Record<HeaderName, string> = {
  ETag: 'ETag',
  CacheControl: 'Cache-Control',
  Vary: 'Vary',
  RequestId: 'X-Request-Id',
  RetryAfter: 'Retry-After',
  Allow: 'Allow',
  Authenticate: 'WWW-Authenticate',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
};

const answer = ['ETag', 'CacheControl', 'Vary', 'RequestId', 'RateLimit', 'RateLimitPolicy'] as const;
const counted = ['RequestId', 'RateLimit', 'RateLimitPolicy'] as const;
const byStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  200: answer,
  304: answer,
  401: ['Authenticate', 'RequestId'],
  400: counted,
  404: counted,
  405: ['Allow', ...counted],
  429: ['RetryAfter', ...counted],
  503: ['RetryAfter', 'RequestId'],
};

/** The header fields of an answer with this status: what each is called there, and which description it has. */
export function headersOf(status: number): { field: string; name: HeaderName }[] {
  const names: readonly HeaderName[] = byStatus[status] ?? ['RequestId'];
  return names.map((name) => ({ field: fieldNames[name], name }));
}
