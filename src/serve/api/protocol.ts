import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { errors, type ApiError } from '../../contract/errors.ts';
import { errorBody, errorHeaders, RefusedRequest } from './errors.ts';
import type { Pipelines } from './pipelines.ts';

// What goes wrong below the framework: HTTP that cannot be parsed, or that Node would answer by itself with an empty
// body. Every one of these gets the same error shape as everything else.

/** Refuses what RFC 9112 wants refused but Node lets through. */
export function refuseMalformedMessage(message: IncomingMessage): void {
  const { rawHeaders, httpVersion } = message;
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'host');
  const isWellFormed =
    (httpVersion === '1.1' ? hosts.length === 1 : httpVersion === '1.0' && hosts.length <= 1) &&
    hosts.every((host) => hostWithPort.test(host)) &&
    // A fragment is the browser's business and never sent; the router would cut it off without a word.
    /^[\x21\x22\x24-\x7e]+$/.test(targetOf(message));
  if (!isWellFormed) throw new RefusedRequest(errors.malformedRequest);
}

/** RFC 3986, 3.2.2 and 3.2.3. Empty is allowed: a client that knows no name says so. */
const hostWithPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** A GET that carries a body is a mistake, or an attempt to smuggle. An empty one is harmless. */
export function refuseBody(message: IncomingMessage): void {
  if (hasBody(message)) throw new RefusedRequest(errors.bodyNotAllowed);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * Says of each request whether it is the last that its connection may bring. Node's own limit would answer what comes
 * after it, in a pipeline, with an empty body.
 */
export function requestsPerConnection(most: number): (socket: Socket) => boolean {
  const counts = new WeakMap<Socket, number>();
  return (socket) => {
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    return count >= most;
  };
}

const undecodable = new WeakSet<IncomingMessage>();
const targets = new WeakMap<IncomingMessage, string>();

/**
 * The target as the router should see it. The absolute form is served whatever host it names. A path that cannot be
 * decoded would be answered by the router on the spot, without the key having been looked at: it is sent on as `/`
 * and refused by refuseUndecodableTarget when its turn comes.
 */
export function routerTarget(message: IncomingMessage): string {
  const given = message.url ?? '/';
  targets.set(message, given);
  const target = given.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '');
    return target;
  } catch {
    undecodable.add(message);
    return '/';
  }
}

export function refuseUndecodableTarget(message: IncomingMessage): void {
  if (undecodable.has(message)) throw new RefusedRequest(errors.malformedRequest);
}

function targetOf(message: IncomingMessage): string {
  return targets.get(message) ?? message.url ?? '/';
}

/** The path for the log: no query, and nothing that could be a key. */
export function loggedPath(message: IncomingMessage): string {
  const path = targetOf(message).split('?', 1)[0] ?? '';
  const isPlain = /^[\w./-]{1,256}$/.test(path) && !/svc_v1_/i.test(path);
  return isPlain ? path : '(withheld)';
}

export interface BelowTheFramework {
  answerUnparseable: (error: Error & { code?: string }, socket: Socket) => void;
}

/** Answers where there is a socket but no reply object; counted and logged like every other answer. */
export function answersBelowTheFramework(
  server: Server,
  pipelines: Pipelines,
  count: (error: ApiError) => void,
  logger: FastifyBaseLogger,
): BelowTheFramework {
  function head(error: ApiError): Record<string, string | number> {
    const requestId = randomUUID();
    count(error);
    logger.info({ requestId, status: error.status }, 'answered below the framework');
    return {
      ...errorHeaders(error),
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(errorBody(error)),
      connection: 'close',
    };
  }

  function endWithError(socket: Socket, error: ApiError): void {
    const lines = Object.entries(head(error)).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${errorBody(error)}`,
    );
    // A peer that never reads would keep the socket open.
    socket.destroySoon();
  }

  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    pipelines.take(message, response, () => {
      response.writeHead(errors.expectationFailed.status, head(errors.expectationFailed));
      response.end(message.method === 'HEAD' ? undefined : errorBody(errors.expectationFailed));
    });
  });
  server.on('connect', (_message: IncomingMessage, socket: Socket) => {
    pipelines.takeLast(socket, () => endWithError(socket, errors.malformedRequest));
  });

  return {
    answerUnparseable: (error, socket) => {
      const answer = parserErrors[error.code ?? ''] ?? errors.malformedRequest;
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else pipelines.takeLast(socket, () => endWithError(socket, answer));
    },
  };
}

const parserErrors: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
};
