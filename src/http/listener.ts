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

/** One path of a listener. All of them answer GET and HEAD, and nothing else. */
export interface Route<C extends Call = Call> {
  /** With a name for each part that varies: `/clubs/:slug`. Log and metrics use it. */
  pattern: string;
  /** Its answer may take 15 s, not 3. */
  isSlow?: boolean;
  answer: (call: C, params: PathParameters) => Promise<Answer> | Answer;
}

/** In what a listener differs from the others. */
export interface Policy<C extends Call = Call> {
  /** The path of the public address. */
  base?: string;
  /** For a path that cannot be decoded. */
  undecodable: ApiError;
  open: (message: IncomingMessage, response: ServerResponse) => C;
  /** Takes from the path what no route knows: a language. Throws what becomes a refusal. */
  enter?: (call: C, target: string) => string;
  /** Whether the caller may have an answer from memory, as far as can be told at once. Throws a refusal. */
  admitsNow: (call: C, connection: Connection) => boolean;
  /** Lets the caller pass, throws a refusal, or answers by itself. Without it, everybody may ask. */
  admit?: (call: C) => Promise<Answer | undefined>;
  /** What every answer carries. It is asked for once per answer. What is no HTTP has no call. */
  everyAnswer: (call: C | undefined, status: number) => Headers;
  /** How a refusal or an error looks. Its details go to the log. */
  refusal: (thrown: unknown, call: C | undefined) => Answer;
  onAnswered?: (call: C, status: number, ms: number) => void;
  /** What is no HTTP was answered, with these headers. */
  onBroken?: (lines: Lines, status: number) => void;
}

export interface FrontParts {
  /** Without a body, the caller holds the answer. */
  answers: {
    ready: (key: string, wanted: IncomingMessage['headers']) => Content | undefined;
    countHit: () => void;
  };
  connections: Connections;
  unread: UnreadBytes;
  pauses: PauseWatch;
  countAnswer: CountAnswer;
  /** While this is true, every answer closes its connection. */
  isDraining: () => boolean;
}

/** By the pattern of the route, not by its path: callers must not be able to create new series. */
export type CountAnswer = (route: string, status: number, ms: number) => void;

/**
 * Makes the server of a listener. A request goes one way, and may be answered at each step:
 *
 *   a usual request of a known caller, in memory ──► answered
 *   else: well-formed ──► admitted ──► memory ──► route ──► its answer
 */
export function createFront<C extends Call>(
  policy: Policy<C>,
  routes: readonly Route<C>[],
  parts: FrontParts,
): Server {
  const { answers, unread } = parts;
  /** What a target means: an answer in memory, until its cursors end. */
  const targets = new Targets<{ key: string; until: number; route: string; path: string }>();
  const routeOf = createRouter(routes);
  const pipelines = createPipelines();
  const deadline = new TimeLimit<Call>(3_000, endLate);
  const slowDeadline = new TimeLimit<Call>(15_000, endLate);

  const server = createServer(serverOptions, (message, response) => {
    const connection = pipelines.take(message, response);
    if (connection === undefined) return;
    if (parts.connections.admits(message, response)) take(policy.open(message, response), connection);
    else refuse(message, response, errors.unavailable);
  }).setTimeout(silenceMs);
  // First: it must see the listeners that Node has on a connection, and no others.
  answerBrokenMessages(server, pipelines, answerToBroken, refuse);
  parts.connections.limit(server);

  function take(call: C, connection: Connection): void {
    // Who must be admitted first may find the answer in memory after that.
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
    // We never read bodies. Unread bytes would be parsed as the next request, so close the connection.
    if (hasBody(message)) pipelines.end(message, response);
    refuseMalformedMessage(message);
    const admitted = await policy.admit?.(call);
    if (call.isOver) return;
    if (admitted !== undefined) return send(call, admitted);
    if (looksInMemory && isAnsweredFromMemory(call)) return;
    const whole = targetOf(message, policy.base ?? '');
    const target = policy.enter?.(call, whole) ?? whole;
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

  /** Admission looks at the unread bytes of who reads. Others share its read, or find the answer in memory. */
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
    // An answer of a pipeline has no socket until its turn comes. Until then it holds its bytes.
    if (body !== undefined && (response.socket === null || message.socket.writableLength > 0)) {
      unread.add(call.owner, body.bytes, response);
      parts.pauses.watch(response, message.socket);
    }
    const ms = performance.now() - call.began;
    parts.countAnswer(call.route, status, ms);
    policy.onAnswered?.(call, status, ms);
  }

  /** The one place where a thrown error becomes an answer. */
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

// An error notes where it was made, which costs more than to answer with it.
const notFound = new RefusedRequest(errors.endpointNotFound);
const noRoom = new Overloaded('too many bytes are unread');
const tooLate = new Overloaded('the request took too long');

/** How long a connection may be silent in the middle of a request. */
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
  // By default Node keeps the first of two Host or Authorization headers and drops the other without an error.
  joinDuplicateHeaders: true,
};
