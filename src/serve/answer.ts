import type { FastifyReply } from 'fastify';
import { asIs, jsonContentType } from './errors.ts';

/** Sends one document as it was published: its bytes, between the braces of the envelope. */
export function sendItem(reply: FastifyReply, document: string): FastifyReply {
  return reply
    .headers({
      'content-type': jsonContentType,
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
    })
    .serializer(asIs)
    .send(`{"data":${document}}`);
}
