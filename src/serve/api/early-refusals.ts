import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../contract/errors.ts';
import type { Caller } from '../../keys/verifier.ts';
import { bearerToken } from './authenticate.ts';
import { traceparentOf } from '../http/traceparent.ts';
import { errorBody, errorHeaders } from './errors.ts';
import { type HitsParts, isUsual } from './hits.ts';
import { pathForLog } from './protocol.ts';

interface EarlyRefusalParts extends Pick<
  HitsParts,
  'verifier' | 'lastUse' | 'metrics' | 'log' | 'isDraining' | 'isLastOf'
> {
  waitingReads: () => number;
  /** No more requests of this key can wait for a read. */
  isFullFor: (keyId: string) => boolean;
}

/**
 * Refuses a request with a known key when the queue is full. In the framework a refusal costs more than an answer: a server
 * that is asked for ten times of what it can read would only refuse. An unusual request goes to the framework.
 */
export function createEarlyRefusals(parts: EarlyRefusalParts) {
  const body = Buffer.from(errorBody(errors.unavailable));
  const { status } = errors.unavailable;
  const headers = { ...errorHeaders(errors.unavailable), 'content-length': body.length };
  /** Connections on which a refusal waits. Requests that were sent behind it need no wait of their own. */
  const waiting = new WeakSet<Socket>();

  function refuse(
    message: IncomingMessage,
    response: ServerResponse,
    caller: NonNullable<Caller>,
    since: number,
  ): void {
    const ms = performance.now() - since;
    const requestId = randomUUID();
    const isLast = parts.isLastOf(message.socket) || parts.isDraining();
    response.writeHead(status, {
      'x-request-id': requestId,
      ...headers,
      ...(isLast && { connection: 'close' }),
    });
    response.end(message.method === 'HEAD' ? undefined : body);
    parts.lastUse.note(caller.keyId);
    parts.metrics.countAnswer(undefined, status, ms);
    const [method, path] = [message.method ?? '', pathForLog(message.url ?? '')];
    parts.log({
      requestId,
      method,
      route: 'none',
      path,
      status,
      ms,
      ...caller,
      traceparent: traceparentOf(message),
    });
  }

  /** False when the framework has to answer. */
  return (message: IncomingMessage, response: ServerResponse): boolean => {
    if (parts.waitingReads() === 0 || !isUsual(message)) return false;
    const key = bearerToken(message);
    const caller = key === undefined ? undefined : parts.verifier.verified(key);
    if (caller === undefined || !parts.isFullFor(caller.keyId)) return false;
    // A caller who does not wait for it was refused, too.
    parts.metrics.countWait(0, 'full');
    const { socket } = message;
    const since = performance.now();
    if (waiting.has(socket)) {
      refuse(message, response, caller, since);
      return true;
    }
    waiting.add(socket);
    const timer = setTimeout(
      () => {
        refuse(message, response, caller, since);
        // The next request of the pipeline comes when this answer is sent.
        setImmediate(() => waiting.delete(socket));
      },
      shortestMs + Math.random() * spreadMs,
    );
    response.once('close', () => clearTimeout(timer));
    return true;
  };
}

/**
 * Not at once: a program that asks again at once would take the processor from the requests that are answered. With 2,000 such
 * connections a server then answered 7 % of what it can. Not all at the same moment: they would come back together.
 */
const shortestMs = 500;
const spreadMs = 1_000;
