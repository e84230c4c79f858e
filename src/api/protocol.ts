import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errors, type ApiError } from '../contract/errors.ts';
import type { CountAnswer } from '../http/count-answer.ts';
import type { Call } from './call.ts';
import { errorBody, errorHeaders, RefusedRequest } from './errors.ts';

// What HTTP itself asks for: well-formed messages, answers in the order of a connection's requests, and the same error shape
// for messages that cannot be parsed.

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

/** The requests of each connection. Node reads ahead and hands over all requests of a pipeline at once. */
export interface Pipelines {
  /** Counts the request. */
  of: (message: IncomingMessage, response: ServerResponse) => Connection;
  /** This call takes a while. While many of a connection do, we stop reading from it. */
  begin: (call: Call) => void;
  latest: (socket: Socket) => Connection['latest'];
}

/** What we know of a connection while it is open. */
export interface Connection {
  requests: number;
  /** Calls that take a while. */
  open: number;
  latest: { message: IncomingMessage; response: ServerResponse } | undefined;
  /** The last header that it sent, and the name of the key in it. A connection sends the same one again and again. */
  authorization: string | undefined;
  keyName: string | undefined;
}

export function createPipelines(): Pipelines {
  const connections = new WeakMap<Socket, Connection>();
  const connectionOf = (socket: Socket): Connection => {
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = { requests: 0, open: 0, latest: undefined, authorization: undefined, keyName: undefined };
      connections.set(socket, connection);
      const made = connection;
      // Node resumes a connection by itself after each answer.
      socket.on('resume', () => void (made.open > mostOpen && socket.pause()));
    }
    return connection;
  };
  return {
    of(message, response) {
      const connection = connectionOf(message.socket);
      connection.requests += 1;
      connection.latest = { message, response };
      return connection;
    },
    begin(call) {
      const { socket } = call.message;
      const connection = connectionOf(socket);
      connection.open += 1;
      if (connection.open > mostOpen) socket.pause();
      call.response.once('close', () => {
        connection.open -= 1;
        if (connection.open === mostOpen) socket.resume();
        call.within(undefined);
        call.leave();
      });
    },
    latest: (socket) => connections.get(socket)?.latest,
  };
}

/** Requests from the same read (up to 64 KB) still join them. */
const mostOpen = 16;

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

  function refuse({ method }: IncomingMessage, response: ServerResponse, error: ApiError): void {
    response.writeHead(error.status, head(error));
    response.end(method === 'HEAD' ? undefined : errorBody(error));
  }

  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    pipelines.of(message, response);
    refuse(message, response, errors.expectationFailed);
  });
  server.on('connect', (_message: IncomingMessage, socket: Socket) =>
    endInTurn(socket, errors.malformedRequest),
  );
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else endInTurn(socket, parserErrors[error.code ?? ''] ?? errors.malformedRequest);
  });
  return { refuse };
}

const parserErrors: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
};
