import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errors, type ApiError } from '../contract/errors.ts';
import type { CountAnswer } from '../http/count-answer.ts';
import { parserStopped, type Pipelines } from '../http/pipelines.ts';
import { errorBody, errorHeaders } from './errors.ts';
import { RefusedRequest } from '../http/refused.ts';

// What HTTP itself asks for: well-formed messages, and the same error shape for messages that cannot be parsed.

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

/** A request that needs no look at the protocol. All others take the longer way, so that refusals have one source. */
export function isUsual(message: IncomingMessage): boolean {
  const { method, httpVersion, headers } = message;
  return (
    (method === 'GET' || method === 'HEAD') &&
    httpVersion === '1.1' &&
    hasGoodHost(message) &&
    headers.upgrade === undefined &&
    headers['content-length'] === undefined &&
    !hasBody(message)
  );
}

function hasGoodHost({ httpVersion, headers: { host } }: IncomingMessage): boolean {
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

/** Path and query. An absolute target may name any host. Undefined when the path cannot be decoded. */
export function targetOf({ url = '/' }: IncomingMessage): string | undefined {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!target.includes('%')) return target;
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '');
    return target;
  } catch {
    return undefined;
  }
}

/** Without the query and without anything that could be a key. */
export function pathForLog(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  const isPlain = /^[\w./-]{1,256}$/.test(path) && !/svc_v1_/i.test(path);
  return isPlain ? path : '(withheld)';
}

/** Answers what Node cannot parse, or would answer with an empty body. They are counted and logged like all other answers. */
export function answerBrokenMessages(
  server: Server,
  pipelines: Pipelines,
  { countAnswer, logger }: { countAnswer: CountAnswer; logger: Logger },
) {
  function head(error: ApiError): Record<string, string | number> {
    const requestId = randomUUID();
    countAnswer('none', error.status, 0);
    logger.info({ requestId, status: error.status }, 'answered a broken message');
    return {
      ...errorHeaders(error),
      'x-request-id': requestId,
      'content-length': Buffer.byteLength(errorBody(error)),
      connection: 'close',
    };
  }

  function endWithError(socket: Socket, error: ApiError): void {
    if (!socket.writable) return;
    const lines = Object.entries(head(error)).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${errorBody(error)}`,
    );
    // Otherwise a peer that never reads would keep the socket open.
    socket.destroySoon();
  }

  /** After the answers to the requests before it. */
  function endInTurn(socket: Socket, error: ApiError): void {
    const latest = pipelines.latest(socket);
    if (latest === undefined || latest.response.closed) return endWithError(socket, error);
    if (latest.message.complete) {
      latest.response.once('close', () => endWithError(socket, error));
      return;
    }
    // The body of this request is broken. If its answer has begun, an error would look like a part of that answer.
    if (latest.response.headersSent) socket.destroy();
    else refuse(latest.message, latest.response, error);
  }

  function refuse(message: IncomingMessage, response: ServerResponse, error: ApiError): void {
    pipelines.end(message, response);
    response.writeHead(error.status, head(error));
    response.end(message.method === 'HEAD' ? undefined : errorBody(error));
  }

  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    if (pipelines.take(message, response) !== undefined) refuse(message, response, errors.expectationFailed);
  });
  server.on('connect', (_message: IncomingMessage, socket: Socket) =>
    endInTurn(socket, errors.malformedRequest),
  );
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === parserStopped) return;
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endInTurn(socket, parserErrors[error.code ?? ''] ?? errors.malformedRequest);
  });
  return { refuse };
}

const parserErrors: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
};
