import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerCache, type AnswerRequest, keyOf } from '../documents/answer-cache.ts';
import { asIs, jsonContentType } from './errors.ts';

export interface AnsweredTargets {
  /** This target was answered. The same target means the same answer until then. */
  remember: (message: IncomingMessage, answered: { key: string; route: string; until: number }) => void;
}

export interface AnswerParts {
  answers: AnswerCache;
  hits: AnsweredTargets;
}

interface AnswerToSend extends Pick<AnswerRequest, 'identity' | 'scope' | 'read'> {
  /** Then the same target has another identity. */
  until?: number;
}

/** Sends an answer from memory or from a database: a 304 when the caller holds it, else the body. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, hits }: AnswerParts,
  { identity, scope, read, until = Infinity }: AnswerToSend,
): Promise<FastifyReply> {
  const key = keyOf(identity);
  const { etag, body } = await answers.answer({
    identity,
    scope,
    read,
    ifNoneMatch: request.headers['if-none-match'],
    signal: request.signal,
  });
  // The deadline passed meanwhile, and the caller already has a 503.
  if (reply.sent) return reply;
  hits.remember(request.raw, { key, route: request.routeOptions.url ?? '', until });
  reply.headers(answerHeaders(etag));
  // A 304 has no headers that describe a body.
  if (body === undefined) return reply.code(304).send();

  const acceptEncoding = request.headers['accept-encoding'];
  const wasReady = body.ready(acceptEncoding) !== undefined;
  const { bytes, encoding } = await body.in(acceptEncoding);
  if (!wasReady) answers.weigh(key);
  if (reply.sent) return reply;
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', jsonContentType).serializer(asIs).send(bytes);
}

export function answerHeaders(etag: string): Record<string, string> {
  return { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, Accept-Encoding' };
}
