import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// Node reads ahead: it hands over all the requests of one read (64 KB, some thousand requests) in one turn of
// the event loop, while all other callers wait. So a connection may send only a few requests ahead of its
// answers, and the answer to the last of them closes it. A client that pipelines must be prepared for that
// (RFC 9112, 9.3.2).

export interface Pipelines {
  /**
   * Counts the request. Returns undefined if an earlier request was the last of its connection; then this one
   * must not be answered.
   */
  take: (message: IncomingMessage, response: ServerResponse) => Connection | undefined;
  /** Makes this request the last of its connection. */
  end: (message: IncomingMessage, response: ServerResponse) => void;
  latest: (socket: Socket) => Connection['latest'];
}

/** The state of an open connection. */
export interface Connection {
  requests: number;
  /** Requests whose answers are not sent yet. */
  open: number;
  hasEnded: boolean;
  latest: { message: IncomingMessage; response: ServerResponse } | undefined;
  closeOne: () => void;
  /**
   * The last Authorization header, and the name of the key in it. A connection usually sends the same header
   * again and again.
   */
  authorization: string | undefined;
  keyName: string | undefined;
}

export function createPipelines(): Pipelines {
  const connections = new WeakMap<Socket, Connection>();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = {
      requests: 0,
      open: 0,
      hasEnded: false,
      latest: undefined,
      closeOne: () => void (connection.open -= 1),
      authorization: undefined,
      keyName: undefined,
    };
    connections.set(socket, connection);
    return connection;
  }

  function end({ socket }: IncomingMessage, response: ServerResponse): void {
    connectionOf(socket).hasEnded = true;
    response.setHeader('connection', 'close');
    stopParser(socket);
  }

  return {
    take(message, response) {
      const { socket } = message;
      const connection = connectionOf(socket);
      if (connection.hasEnded) return undefined;
      connection.requests += 1;
      connection.open += 1;
      connection.latest = { message, response };
      response.on('close', connection.closeOne);
      const isFull = connection.open >= maxAhead;
      // After an upgrade Node's parser swallows whatever follows. Node's own limit on requests would answer
      // with an empty body.
      if (isFull || connection.requests >= maxRequests || message.headers.upgrade !== undefined)
        end(message, response);
      if (isFull) stopReading(socket);
      return connection;
    },
    end,
    latest: (socket) => connections.get(socket)?.latest,
  };
}

export const maxAhead = 16;
const maxRequests = 1_000;

/**
 * Stops the parser, because parsing a request costs as much as answering it. There is no other way to stop it
 * in the middle of a read.
 */
function stopParser(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => -1;
}

/** The code of the `clientError` that the stopped parser then reports. It is not the caller's mistake. */
export const parserStopped = 'HPE_CB_HEADERS_COMPLETE';

/** Stops reading for good, although Node resumes a connection by itself after each answer. */
function stopReading(socket: Socket): void {
  socket.on('resume', () => socket.pause());
  socket.pause();
}
