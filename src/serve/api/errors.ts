import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer, errors, type ApiError } from '../../contract/errors.ts';
import { isUnavailable, Overloaded } from '../../database/unavailable.ts';
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

/** The one place where a thrown error becomes an answer. Its details go to the log, never to the caller. */
export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = refusedFor(thrown);
  if (refused.error.status >= 500 && thrown !== refused && !(thrown instanceof Overloaded)) {
    request.log[refused.error.status === 500 ? 'error' : 'warn']({ err: thrown }, 'the request failed');
  }
  return reply
    .code(refused.error.status)
    .headers({ ...errorHeaders(refused.error), ...refused.headers })
    .serializer(asIs)
    .send(errorBody(refused.error));
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

/** Bodies are already JSON text: the framework must not serialize them again. */
export function asIs(payload: unknown): string {
  return payload as string;
}

function refusedFor(thrown: unknown): RefusedRequest {
  if (thrown instanceof RefusedRequest) return thrown;
  if (isUnavailable(thrown) || codeOf(thrown) === 'FST_ERR_HANDLER_TIMEOUT')
    return new RefusedRequest(errors.unavailable);
  // The framework's own refusals (a body it cannot parse, a target it cannot decode) are mistakes of the caller.
  const status = (thrown as Partial<FastifyError> | null)?.statusCode;
  if (codeOf(thrown).startsWith('FST_ERR_') && status !== undefined && status < 500) {
    return new RefusedRequest(errors.malformedRequest);
  }
  return new RefusedRequest(errors.internalError);
}

function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
