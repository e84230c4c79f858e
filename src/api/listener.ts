import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errors } from '../contract/errors.ts';
import { TimeLimit } from '../database/time-limit.ts';
import { Overloaded } from '../database/unavailable.ts';
import type { LastUse } from '../keys/last-use.ts';
import type { Caller } from '../keys/look-up.ts';
import type { KeyVerifier } from '../keys/verifier.ts';
import type { Connections } from '../http/connections.ts';
import { type Connection, createPipelines } from '../http/pipelines.ts';
import { serverOptions, silenceMs } from '../http/server-options.ts';
import type { Limits } from './limits.ts';
import { type AnswererParts, createAnswerer } from './answerer.ts';
import { aboveLimit, authenticate, authenticateWithin, bearerToken, refuseAbove } from './authenticate.ts';
import { Call } from './call.ts';
import { isPreflight, preflightHeaders } from './cors.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { PlanParts } from './plan.ts';
import {
  answerBrokenMessages,
  hasBody,
  isUsual,
  refuseBody,
  refuseMalformedMessage,
  targetOf,
} from './protocol.ts';
import { routeOf } from './routes.ts';

export interface ApiParts extends PlanParts, AnswererParts {
  connections: Connections;
  verifier: KeyVerifier;
  /** Undefined when limits are switched off. */
  limits: Limits | undefined;
  lastUse: LastUse;
}

/**
 * The API listener. A request goes one way, and may be answered at each step:
 *
 *   a usual request of a known key, in memory ──► answered
 *   else: well-formed ──► key ──► limits ──► route ──► plan ──► memory, or a place in the queue and a database ──► answered
 *
 * Every path and method passes the key. So a caller without a valid key learns nothing, not even which paths exist.
 */
export function createApi(parts: ApiParts): Server {
  const { verifier, limits, lastUse } = parts;
  const answerer = createAnswerer(parts);
  const deadline = new TimeLimit<Call>(longestMs, (call) => {
    answerer.fail(call, new Overloaded('the request took too long'));
    call.leave();
  });
  const pipelines = createPipelines();

  const server = createServer(httpOptions, (message, response) => {
    const connection = pipelines.take(message, response);
    if (connection === undefined) return;
    if (parts.connections.admits(message, response)) take(message, response, connection);
    else broken.refuse(message, response, errors.unavailable);
  }).setTimeout(silenceMs);
  const broken = answerBrokenMessages(server, pipelines, parts);
  parts.connections.limit(server);

  function take(message: IncomingMessage, response: ServerResponse, connection: Connection): void {
    const call = new Call(message, response);
    // Limits are counted first, and counting in Redis takes a while.
    if ((limits === undefined || limits.countNow !== undefined) && isUsual(message)) {
      const caller = knownCaller(message, connection);
      if (caller !== undefined) {
        call.identify(caller);
        lastUse.note(caller.keyId);
        call.share = limits?.countNow?.(caller);
        if (call.share?.isRefused) return answerer.fail(call, aboveLimit(call.share));
        if (answerer.fromMemory(call)) return;
      }
    }
    call.within(deadline);
    response.once('close', () => {
      call.within(undefined);
      call.leave();
    });
    handle(call).catch((error: unknown) => answerer.fail(call, error));
  }

  function knownCaller(message: IncomingMessage, connection: Connection): Caller {
    const { authorization } = message.headers;
    if (authorization !== connection.authorization) {
      const key = bearerToken(message);
      connection.authorization = authorization;
      connection.keyName = key === undefined ? undefined : verifier.nameOf(key);
    }
    return connection.keyName === undefined ? undefined : verifier.verified(connection.keyName);
  }

  async function handle(call: Call): Promise<void> {
    const { message, response } = call;
    // We never read bodies. Unread bytes would be parsed as the next request, so close the connection.
    if (hasBody(message)) pipelines.end(message, response);
    refuseMalformedMessage(message);
    // A browser sends the preflight without a key. It is the only request that needs none.
    if (isPreflight(message)) return answerer.send(call, 204, preflightHeaders);
    if (call.caller === undefined) {
      const caller = await (limits === undefined
        ? authenticate(message, verifier)
        : authenticateWithin(limits, message, verifier));
      call.identify(caller);
      lastUse.note(caller.keyId);
      if (limits !== undefined) {
        const share = await limits.count(caller);
        refuseAbove(share);
        call.share = share;
        if (call.isOver || (isUsual(message) && answerer.fromMemory(call))) return;
      }
    }
    const target = targetOf(message);
    if (target === undefined) throw new RefusedRequest(errors.malformedRequest);
    const { method = '' } = message;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead) refuseBody(message);
    const found = routeOf(target);
    if (found === undefined) throw new RefusedRequest(errors.endpointNotFound);
    call.route = found.route.pattern;
    if (!isRead) throw new RefusedRequest(errors.methodNotAllowed, { allow: 'GET, HEAD' });
    await answerer.answer(call, found.route.plan(parts, found.part, target));
  }

  return server;
}

const longestMs = 3_000;

const httpOptions = {
  ...serverOptions,
  // Node would answer with an empty body. refuseMalformedMessage checks it instead.
  requireHostHeader: false,
  // By default Node keeps the first of two Host or Authorization headers and drops the other without an error.
  joinDuplicateHeaders: true,
};
