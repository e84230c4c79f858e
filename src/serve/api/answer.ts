import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressed } from '../http/compress.ts';
import { asIs, jsonContentType } from './errors.ts';
import { etagOf, type AnswerIdentity } from '../http/etag.ts';

/** Sends a body that is already JSON text, built from published documents. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: AnswerIdentity,
  revision: string,
  text: string,
): Promise<FastifyReply> {
  const { body, encoding } = await compressed(text, request.headers['accept-encoding']);
  // The deadline passed while we read the documents, and the caller already has a 503.
  if (reply.sent) return reply;
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply
    .headers(headersOf(identity, revision))
    .header('content-type', jsonContentType)
    .serializer(asIs)
    .send(body);
}

/** Has the headers of the 200, without those that describe a body. */
export function sendNotModified(
  reply: FastifyReply,
  identity: AnswerIdentity,
  revision: string,
): FastifyReply {
  if (reply.sent) return reply;
  return reply.code(304).headers(headersOf(identity, revision)).send();
}

function headersOf(identity: AnswerIdentity, revision: string): Record<string, string> {
  return {
    etag: etagOf(identity, revision),
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Accept-Encoding',
  };
}
