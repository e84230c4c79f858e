import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

// Written at once, an answer of 10 MB keeps the process busy for 20 ms, because the kernel copies as much as it can. Fifty
// callers of it would stop all others for a second.

/** Whether to send it in turns. Node sends no body for HEAD. */
export function isForTurns({ request }: FastifyReply, bytes: Buffer): boolean {
  return bytes.length > atOnceBytes && request.method !== 'HEAD';
}

/**
 * Sends a large body piece by piece, with the headers of the reply. In between, others get their turn. The framework would
 * end a stream at the deadline of the request, though the caller is reading it. So it gives the response away.
 */
export function sendInTurns(reply: FastifyReply, bytes: Buffer): FastifyReply {
  reply.hijack();
  const response = reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  sendFrom(response, bytes, 0);
  return reply;
}

const atOnceBytes = 1 << 18;
const pieceBytes = 1 << 16;
const piecesPerTurn = 4;

function sendFrom(response: ServerResponse, bytes: Buffer, at: number): void {
  takeTurn(() => {
    if (response.destroyed) return;
    const end = at + pieceBytes;
    const piece = bytes.subarray(at, end);
    if (end >= bytes.length) response.end(piece);
    else if (response.write(piece)) sendFrom(response, bytes, end);
    else response.once('drain', () => sendFrom(response, bytes, end));
  });
}

/** Of all large answers together. */
let waiting: (() => void)[] = [];

function takeTurn(send: () => void): void {
  waiting.push(send);
  if (waiting.length === 1) setImmediate(sendSome);
}

function sendSome(): void {
  const now = waiting.slice(0, piecesPerTurn);
  waiting = waiting.slice(piecesPerTurn);
  // Who sends now may wait for the next turn at once, and then has set it.
  const isNextSet = waiting.length === 0;
  for (const send of now) send();
  if (!isNextSet) setImmediate(sendSome);
}
