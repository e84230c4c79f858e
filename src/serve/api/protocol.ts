import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { errors, type ApiError } from '../../contract/errors.ts';
import { errorBody, errorHeaders, RefusedRequest } from './errors.ts';
import type { Pipelines } from './pipelines.ts';

// Errors below the framework: HTTP that cannot be parsed, or that Node itself would answer with an empty body. They get
// the same error shape as all other errors.

/** Refuses messages that RFC 9112 forbids but Node accepts. */
export function refuseMalformedMessage(message: IncomingMessage): void {
  const { httpVersion } = message;
  const isWellFormed =
    (httpVersion === '1.1' || httpVersion === '1.0') &&
    hasGoodHost(message) &&
    // A client never sends a fragment. The router would silently cut it off.
    /^[\x21\x22\x24-\x7e]+$/.test(targetOf(message));
  if (!isWellFormed) throw new RefusedRequest(errors.malformedRequest);
}

export function hasGoodHost({ httpVersion, headers: { host } }: IncomingMessage): boolean {
  return host === undefined ? httpVersion === '1.0' : hostWithPort.test(host);
}

/**
 * RFC 3986, 3.2.2 and 3.2.3. Empty is allowed, for a client that knows no name. Two Host headers never match: Node joins
 * them with a comma and a space (joinDuplicateHeaders).
 */
const hostWithPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** A GET with a body is a mistake or an attempt to smuggle a request. An empty body is harmless. */
export function refuseBody(message: IncomingMessage): void {
  if (hasBody(message)) throw new RefusedRequest(errors.bodyNotAllowed);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * Tells for each request whether it is the last one of its connection. Node's own limit would answer later requests of
 * a pipeline with an empty body.
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
 * The target for the router. An absolute target may name any host. The router would answer a path that it cannot decode
 * before we check the key. So we pass it on as `/`, and refuseUndecodableTarget refuses it later.
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

export function loggedPath(message: IncomingMessage): string {
  return pathForLog(targetOf(message));
}

/** Without the query and without anything that could be a key. */
export function pathForLog(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  const isPlain = /^[\w./-]{1,256}$/.test(path) && !/svc_v1_/i.test(path);
  return isPlain ? path : '(withheld)';
}

export interface BelowTheFramework {
  refuse: (message: IncomingMessage, response: ServerResponse, error: ApiError) => void;
  answerUnparseable: (error: Error & { code?: string }, socket: Socket) => void;
}

/** Answers when there is a socket but no reply object. They are counted and logged like all other answers. */
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
    // Otherwise a peer that never reads would keep the socket open.
    socket.destroySoon();
  }

  function refuse({ method }: IncomingMessage, response: ServerResponse, error: ApiError): void {
    response.writeHead(error.status, head(error));
    response.end(method === 'HEAD' ? undefined : errorBody(error));
  }

  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    pipelines.take(message, response, () => refuse(message, response, errors.expectationFailed));
  });
  server.on('connect', (_message: IncomingMessage, socket: Socket) => {
    pipelines.takeLast(socket, () => endWithError(socket, errors.malformedRequest));
  });

  return {
    refuse,
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
