import type { FastifyReply } from 'fastify';
import type { QueryConfig } from 'pg';
import { asIs, jsonContentType } from './errors.ts';

/** Sends one document as it was published: its bytes, between the braces of the envelope. */
export function sendItem(reply: FastifyReply, document: string): FastifyReply {
  // The deadline passed while the document was being read, and has been answered.
  if (reply.sent) return reply;
  return reply
    .headers({
      'content-type': jsonContentType,
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
    })
    .serializer(asIs)
    .send(`{"data":${document}}`);
}

/** Where documents are read: one named statement per request. */
export interface Documents {
  query: (query: QueryConfig) => Promise<{ rows: { document: string }[] }>;
}
