import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerCache, type AnswerRequest, keyOf } from '../documents/answer-cache.ts';
import type { ByteBudget } from '../documents/byte-budget.ts';
import { unlessAnswered } from '../documents/after-deadline.ts';
import { isForTurns, sendInTurns } from '../http/in-turns.ts';
import type { ProgressWatch } from '../http/progress.ts';
import { asIs, jsonContentType } from './errors.ts';

export interface AnsweredTargets {
  /** This target was answered. The same target means the same answer until then. */
  remember: (message: IncomingMessage, answered: { key: string; route: string; until: number }) => void;
}

export interface AnswerParts {
  answers: AnswerCache;
  budget: ByteBudget;
  progress: ProgressWatch;
  hits: AnsweredTargets;
  /** While this is true, every answer closes its connection. */
  isDraining: () => boolean;
}

interface AnswerToSend extends Pick<AnswerRequest, 'identity' | 'scope' | 'read'> {
  /** Then the same target has another identity. */
  until?: number;
}

/** Sends an answer from memory or from a database: a 304 when the caller holds it, else the body. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, budget, progress, hits, isDraining }: AnswerParts,
  { identity, scope, read, until = Infinity }: AnswerToSend,
): Promise<FastifyReply> {
  const key = keyOf(identity);
  const { signal } = request;
  const ifNoneMatch = request.headers['if-none-match'];
  const acceptEncoding = request.headers['accept-encoding'];
  const owner = request.caller?.keyId ?? '';
  const claim = budget.claimFor(owner, reply.raw);
  const obtained = await claim
    .obtain({
      ask: (beforeRead) => answers.answer({ identity, scope, read, ifNoneMatch, signal, owner, beforeRead }),
      bytesOf: (answer) => (answer.body?.ready(acceptEncoding) ?? answer.body?.plain)?.bytes,
      family: `${request.routeOptions.url} ${scope}`,
      signal,
    })
    .catch(unlessAnswered(reply));
  // The deadline passed meanwhile, and the caller already has a 503.
  if (obtained === undefined || reply.sent) return reply;
  const { etag, body } = obtained;
  hits.remember(request.raw, { key, route: request.routeOptions.url ?? '', until });
  reply.headers(answerHeaders(etag));
  // A 304 has no headers that describe a body.
  if (body === undefined) return reply.code(304).send();

  const wasReady = body.ready(acceptEncoding) !== undefined;
  const { bytes, encoding } = await body.in(acceptEncoding, signal);
  if (!wasReady) answers.weigh(key);
  if (reply.sent) return reply;
  claim.become(bytes);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.headers({ 'content-type': jsonContentType, 'content-length': bytes.length });
  if (!isForTurns(reply, bytes)) return reply.serializer(asIs).send(bytes);
  if (isDraining()) reply.header('connection', 'close');
  progress.watch(reply.raw);
  return sendInTurns(reply, bytes);
}

export function answerHeaders(etag: string): Record<string, string> {
  return { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, Accept-Encoding' };
}
