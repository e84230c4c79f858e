import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ApiError, errors } from '../contract/errors.ts';
import type { Lines } from './call.ts';
import { parserStopped, type Pipelines } from './pipelines.ts';
import { RefusedRequest } from './refused.ts';

// Rules of HTTP itself: messages must be well-formed, and messages that cannot be parsed get the same errors.

/** Refuses messages that RFC 9112 forbids but Node accepts. */
export function refuseMalformedMessage(message: IncomingMessage): void {
  const { httpVersion } = message;
  const isWellFormed =
    (httpVersion === '1.1' || httpVersion === '1.0') &&
    hasGoodHost(message) &&
    // A client never sends a fragment.
    /^[\x21\x22\x24-\x7e]+$/.test(message.url ?? '/');
  if (!isWellFormed) throw new RefusedRequest(errors.malformedRequest);
}

/**
 * Returns true for a request that needs no further protocol checks. All others take the longer path, so that
 * refusals have only one source.
 */
export function isUsual(message: IncomingMessage): boolean {
  const { httpVersion, headers } = message;
  return (
    isRead(message) &&
    httpVersion === '1.1' &&
    hasGoodHost(message) &&
    headers.upgrade === undefined &&
    headers['content-length'] === undefined &&
    !hasBody(message)
  );
}

export function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function hasGoodHost({ httpVersion, headers: { host } }: IncomingMessage): boolean {
  return host === undefined ? httpVersion === '1.0' : hostWithPort.test(host);
}

/**
 * The syntax of RFC 3986, 3.2.2 and 3.2.3. An empty host is allowed for a client that does not know a name.
 * Two Host headers never match, because Node joins them with a comma and a space (joinDuplicateHeaders).
 */
const hostWithPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * Returns the path and the query, relative to the path of the public address. An absolute target may name any
 * host.
 */
export function targetOf({ url = '/' }: IncomingMessage, base: string): string {
  const below = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const target = below.startsWith('/') ? below : `/${below}`;
  const rest = target.slice(base.length);
  // A proxy may either pass on the path of the public address or strip it.
  return base !== '' && target.startsWith(base) && /^([/?]|$)/.test(rest) ? rest || '/' : target;
}

/** Returns the path without the query, and without anything that could be a key. */
export function pathForLog(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  const isPlain = /^[\w./-]{1,256}$/.test(path) && !/svc_v1_/i.test(path);
  return isPlain ? path : '(withheld)';
}

/**
 * Answers messages that Node cannot parse or would answer with an empty body. The requests before them are
 * answered first.
 */
export function answerBrokenMessages(
  server: Server,
  pipelines: Pipelines,
  answerTo: (error: ApiError) => { status: number; lines: Lines; body: Buffer },
  refuse: (message: IncomingMessage, response: ServerResponse, error: ApiError) => void,
): void {
  function end(socket: Socket, error: ApiError): void {
    if (!socket.writable) return;
    const { status, lines, body } = answerTo(error);
    const head = Object.entries({ ...lines, connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const start = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n`);
    socket.end(Buffer.concat([start, body]));
    // Otherwise a peer that never reads would keep the socket open.
    socket.destroySoon();
  }

  function endInTurn(socket: Socket, error: ApiError): void {
    const latest = pipelines.latest(socket);
    if (latest === undefined || latest.response.closed) return end(socket, error);
    if (latest.message.complete) return void latest.response.once('close', () => end(socket, error));
    // The body of this request is broken. If its answer has begun, an error would look like a part of that
    // answer.
    if (latest.response.headersSent) socket.destroy();
    else refuse(latest.message, latest.response, error);
  }

  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    if (pipelines.take(message, response) !== undefined) refuse(message, response, errors.expectationFailed);
  });
  const closers = new WeakMap<Socket, (() => void)[]>();
  server.on('connection', (socket) => {
    closers.set(socket, socket.listeners('close') as (() => void)[]);
  });
  server.on('connect', (_message: IncomingMessage, socket: Socket) => {
    // On CONNECT Node removes its own listeners. An error of the socket would then end the process, and
    // answers that are still pending would never close, so they would be counted for ever.
    socket.on('error', () => socket.destroy());
    for (const close of closers.get(socket) ?? []) socket.once('close', close);
    endInTurn(socket, errors.malformedRequest);
  });
  server.on('clientError', (thrown: Error & { code?: string }, socket: Socket) => {
    if (thrown.code === parserStopped) return;
    if (thrown.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endInTurn(socket, parserErrors[thrown.code ?? ''] ?? errors.malformedRequest);
  });
}

const parserErrors: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
};
