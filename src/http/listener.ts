import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type ApiError, errors } from '../contract/errors.ts';
import { TimeLimit } from '../availability/time-limit.ts';
import { Overloaded } from '../availability/unavailable.ts';
import { type Answer, type Call, type Content, type Headers, type Lines, linesOf } from './call.ts';
import type { Connections } from './connections.ts';
import {
  answerBrokenMessages,
  hasBody,
  isRead,
  isUsual,
  pathForLog,
  refuseMalformedMessage,
  targetOf,
} from './messages.ts';
import type { PauseWatch } from './pauses.ts';
import { type Connection, createPipelines } from './pipelines.ts';
import { RefusedRequest } from './refused.ts';
import { createRouter, type PathParameters } from './router.ts';
import { Targets } from './targets.ts';
import type { UnreadBytes } from './unread-bytes.ts';

/** One path of a listener. All routes answer GET and HEAD, and nothing else. */
export interface Route<C extends Call = Call> {
  /** The path, with a name for each part that varies, as in `/clubs/:slug`. Log and metrics use it. */
  pattern: string;
  /** If true, the answer may take 15 seconds instead of 3. */
  isSlow?: boolean;
  answer: (call: C, params: PathParameters) => Promise<Answer> | Answer;
}

/** The rules by which one listener differs from the others. */
export interface Policy<C extends Call = Call> {
  /** The path within the public address. */
  base?: string;
  /** The error for a path that cannot be decoded. */
  undecodable: ApiError;
  open: (message: IncomingMessage, response: ServerResponse) => C;
  /** Takes the part off the path that the routes do not know: a language. May throw a refusal. */
  enter?: (call: C, target: string) => string;
  /**
   * Returns true if the caller may have an answer from memory, as far as that can be decided synchronously.
   * May throw a refusal.
   */
  admitsNow: (call: C, connection: Connection) => boolean;
  /**
   * Lets the caller pass, throws a refusal or returns an answer of its own. Without it, everybody may ask.
   */
  admit?: (call: C) => Promise<Answer | undefined>;
  /**
   * Returns the headers that every answer carries. It is called once per answer, without a call if the
   * message is not valid HTTP.
   */
  everyAnswer: (call: C | undefined, status: number) => Headers;
  /** Renders a refusal or an error. Its details only go to the log. */
  refusal: (thrown: unknown, call: C | undefined) => Answer;
  onAnswered?: (call: C, status: number, ms: number) => void;
  /** Called after replying to unparsable input, with the headers that were sent. */
  onBroken?: (lines: Lines, status: number) => void;
}

export interface ListenerParts {
  /** Content without a body means that the caller already has the answer. */
  answers: {
    ready: (key: string, wanted: IncomingMessage['headers']) => Content | undefined;
    countHit: () => void;
  };
  connections: Connections;
  unread: UnreadBytes;
  pauses: PauseWatch;
  /** The time limit for an answer, in place of the usual one. */
  patienceMs?: number | undefined;
  countAnswer: CountAnswer;
  /** While it returns true, every answer closes its connection. */
  isDraining: () => boolean;
}

/**
 * Counts an answer by the pattern of its route rather than by its path, because callers must not be able to
 * create new series.
 */
export type CountAnswer = (route: string, status: number, ms: number) => void;

/**
 * Creates the server of a listener. Every request takes the same path, and any step may answer it:
 *
 *   a usual request of a known caller, in memory ──► answered
 *   else: well-formed ──► admitted ──► memory ──► route ──► its answer
 */
export function createListener<C extends Call>(
  policy: Policy<C>,
  routes: readonly Route<C>[],
  parts: ListenerParts,
): Server {
  const { answers, unread } = parts;
  /** Maps a target to the key of its answer in memory, until the cursors in that answer expire. */
  const targets = new Targets<{ key: string; until: number; route: string; path: string }>();
  const routeOf = createRouter(routes);
  const pipelines = createPipelines();
  const deadline = new TimeLimit<Call>(parts.patienceMs ?? 3_000, endLate);
  const slowDeadline = new TimeLimit<Call>(parts.patienceMs ?? 15_000, endLate);

  const server = createServer(serverOptions, (message, response) => {
    const connection = pipelines.take(message, response);
    if (connection === undefined) return;
    if (parts.connections.admits(message, response)) take(policy.open(message, response), connection);
    else refuse(message, response, errors.unavailable);
  }).setTimeout(silenceMs);
  // This comes first because it must see the listeners that Node itself has put on a connection, and no
  // others.
  answerBrokenMessages(server, pipelines, answerToBroken, refuse);
  parts.connections.limit(server);

  function take(call: C, connection: Connection): void {
    // A caller that still has to be admitted may hit the cache afterwards.
    let looksLater = false;
    try {
      if (isUsual(call.message)) {
        if (!policy.admitsNow(call, connection)) looksLater = true;
        else if (isAnsweredFromMemory(call)) return;
      }
    } catch (error) {
      return fail(call, error);
    }
    call.within(deadline);
    call.response.once('close', () => {
      call.within(undefined);
      call.leave();
    });
    handle(call, looksLater).catch((error: unknown) => fail(call, error));
  }

  async function handle(call: C, looksInMemory: boolean): Promise<void> {
    const { message, response } = call;
    // We never read bodies. Unread bytes would be parsed as the next request, so the connection has to close.
    if (hasBody(message)) pipelines.end(message, response);
    refuseMalformedMessage(message);
    const admitted = await policy.admit?.(call);
    if (call.isOver) return;
    if (admitted !== undefined) return send(call, admitted);
    if (looksInMemory && isAnsweredFromMemory(call)) return;
    const requested = targetOf(message, policy.base ?? '');
    const target = policy.enter?.(call, requested) ?? requested;
    const found = find(target);
    call.target = target;
    // A GET with a body is a mistake or an attempt to smuggle a request. An empty body is harmless.
    if (isRead(message) && hasBody(message)) throw new RefusedRequest(errors.bodyNotAllowed);
    if (found === undefined) throw notFound;
    call.route = found.route.pattern;
    if (!isRead(message)) throw new RefusedRequest(errors.methodNotAllowed, { allow: 'GET, HEAD' });
    if (found.route.isSlow) call.within(slowDeadline);
    const answer = await found.route.answer(call, found.params);
    if (call.isOver) return;
    if (answer.kept !== undefined) {
      const { url = '' } = message;
      call.path = pathForLog(url);
      targets.set(url, { ...answer.kept, route: call.route, path: call.path });
      if (!hasRoom(call, answer)) throw noRoom;
    }
    send(call, answer);
  }

  function find(target: string) {
    try {
      return routeOf(target);
    } catch {
      throw new RefusedRequest(policy.undecodable);
    }
  }

  function isAnsweredFromMemory(call: C): boolean {
    const { url = '', headers } = call.message;
    const meaning = targets.get(url);
    if (meaning === undefined || Date.now() >= meaning.until) return false;
    const found = answers.ready(meaning.key, headers);
    if (found === undefined || !hasRoom(call, found)) return false;
    call.route = meaning.route;
    call.path = meaning.path;
    answers.countHit();
    send(call, found);
    return true;
  }

  /**
   * Returns true if the caller may be sent this answer now. Admission checks the unread bytes only of the
   * owner that reads; other callers share that read or hit the cache, so they are checked here.
   */
  function hasRoom({ owner, response }: C, { body }: Content): boolean {
    return body === undefined || unread.takes(owner, body.bytes, response);
  }

  function send(call: C, answer: Answer): void {
    const { message, response } = call;
    const { body, status = body === undefined ? 304 : 200 } = answer;
    if (response.headersSent) return;
    const lines = linesOf(policy.everyAnswer(call, status), status, answer);
    if (parts.isDraining()) lines['connection'] = 'close';
    response.writeHead(status, lines);
    response.end(message.method === 'HEAD' ? undefined : body?.bytes);
    call.within(undefined);
    // A pipelined answer has no socket until its turn comes. Until then it holds its bytes.
    if (body !== undefined && (response.socket === null || message.socket.writableLength > 0)) {
      unread.add(call.owner, body.bytes, response);
      parts.pauses.watch(response, message.socket);
    }
    const ms = performance.now() - call.began;
    parts.countAnswer(call.route, status, ms);
    policy.onAnswered?.(call, status, ms);
  }

  /** Turns a thrown error into an answer. Nothing else does. */
  function fail(call: C, thrown: unknown): void {
    if (call.isOver || call.response.headersSent) return;
    send(call, policy.refusal(thrown, call));
  }

  function endLate(call: Call): void {
    fail(call as C, tooLate);
    call.leave();
  }

  function refuse(message: IncomingMessage, response: ServerResponse, error: ApiError): void {
    pipelines.end(message, response);
    fail(policy.open(message, response), new RefusedRequest(error));
  }

  function answerToBroken(error: ApiError) {
    const answer = policy.refusal(new RefusedRequest(error), undefined);
    const { status = 400, body = { bytes: Buffer.alloc(0) } } = answer;
    const lines = linesOf(policy.everyAnswer(undefined, status), status, answer);
    parts.countAnswer('none', status, 0);
    policy.onBroken?.(lines, status);
    return { status, lines, body: body.bytes };
  }

  return server;
}

// These are created once, because an error records its stack, which costs more than sending the answer.
const notFound = new RefusedRequest(errors.endpointNotFound);
const noRoom = new Overloaded('too many bytes are unread');
const tooLate = new Overloaded('the request took too long');

/** The maximum time for which a connection may be silent in the middle of a request. */
const silenceMs = 15_000;

const serverOptions = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  // A proxy keeps its connections for 60 s.
  keepAliveTimeout: 72_000,
  // Node's default of 30 s would let slow headers take that much longer.
  connectionsCheckingInterval: 1_000,
  // Node would answer with an empty body. refuseMalformedMessage checks it instead.
  requireHostHeader: false,
  // By default Node keeps the first of two Host or Authorization headers and drops the other without an
  // error.
  joinDuplicateHeaders: true,
};
