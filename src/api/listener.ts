import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { errors } from '../contract/errors.ts';
import { Overloaded } from '../availability/unavailable.ts';
import { createListener, type ListenerParts, type Policy, type Route } from '../http/listener.ts';
import { pathForLog } from '../http/messages.ts';
import type { Connection } from '../http/pipelines.ts';
import { refusalFor, RefusedRequest } from '../http/refused.ts';
import { traceparentOf } from '../http/traceparent.ts';
import type { LastUse } from '../keys/last-use.ts';
import type { Caller } from '../keys/look-up.ts';
import type { KeyVerifier } from '../keys/verifier.ts';
import { answerPlan, type AnswerParts } from './answer.ts';
import { aboveLimit, authenticate, authenticateWithin, bearerToken, refuseAbove } from './authenticate.ts';
import { ApiCall } from './call.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { errorOf } from './errors.ts';
import { extraRoutes } from './extra-routes.ts';
import type { Limits } from './limits.ts';
import type { PlanParts } from './plan.ts';
import { routes } from './routes.ts';

export interface ApiParts extends PlanParts, AnswerParts, Omit<ListenerParts, 'answers'> {
  verifier: KeyVerifier;
  /** Undefined if rate limits are switched off. */
  limits: Limits | undefined;
  lastUse: LastUse;
  logAnswer: (answered: Answered) => void;
  logger: Logger;
}

/** The fields of an answer that are written to the log. */
export interface Answered {
  requestId: string;
  method: string;
  route: string;
  path: string;
  status: number;
  ms: number;
  caller: Caller;
  traceparent: string | undefined;
}

/**
 * Creates the API listener. Every path and method requires a key, so a caller without a valid one cannot
 * learn which paths exist.
 */
export function createApi(parts: ApiParts): Server {
  const answered = [...routes, ...extraRoutes].map(({ pattern, plan }): Route<ApiCall> => ({
    pattern,
    answer: (call, params) =>
      answerPlan(parts, call, plan(parts, Object.values(params)[0] ?? '', call.target)),
  }));
  return createListener(apiPolicy(parts), answered, parts);
}

function apiPolicy({ verifier, limits, lastUse, logger, logAnswer }: ApiParts): Policy<ApiCall> {
  function knownCaller({ message }: ApiCall, connection: Connection): Caller {
    const { authorization } = message.headers;
    if (authorization !== connection.authorization) {
      const key = bearerToken(message);
      connection.authorization = authorization;
      connection.keyName = key === undefined ? undefined : verifier.nameOf(key);
    }
    return connection.keyName === undefined ? undefined : verifier.verified(connection.keyName);
  }

  function identify(call: ApiCall, caller: NonNullable<Caller>): void {
    call.identify(caller);
    lastUse.note(caller.keyId);
  }

  return {
    undecodable: errors.malformedRequest,
    open: (message, response) => new ApiCall(message, response),
    admitsNow(call, connection) {
      // Requests are counted before anything else, and counting in Redis is asynchronous.
      if (limits !== undefined && limits.countNow === undefined) return false;
      const caller = knownCaller(call, connection);
      if (caller === undefined) return false;
      identify(call, caller);
      call.share = limits?.countNow?.(caller);
      if (call.share?.isRefused) throw aboveLimit(call.share);
      return true;
    },
    async admit(call) {
      const { message } = call;
      // A browser sends the preflight without a key. It is the only request that does not need one.
      if (isPreflight(message)) return { status: 204, headers: preflightHeaders };
      if (call.caller !== undefined) return undefined;
      const caller = await (limits === undefined
        ? authenticate(message, verifier)
        : authenticateWithin(limits, message, verifier));
      identify(call, caller);
      const share = await limits?.count(caller);
      if (share !== undefined) refuseAbove(share);
      call.share = share;
      return undefined;
    },
    everyAnswer: (call, status) => ({
      'x-request-id': call?.id ?? randomUUID(),
      ...corsHeaders,
      ...call?.share?.headers,
      ...(status === 304 ? call?.share?.becomeCheap() : undefined),
    }),
    refusal(thrown, call) {
      const { error, headers } = refusalFor(thrown);
      const { status } = error;
      if (status >= 500 && !(thrown instanceof RefusedRequest) && !(thrown instanceof Overloaded))
        logger[status === 500 ? 'error' : 'warn']({ requestId: call?.id, err: thrown }, 'the request failed');
      return errorOf(error, headers);
    },
    onBroken: (lines, status) =>
      logger.info({ requestId: lines['x-request-id'], status }, 'answered a broken message'),
    onAnswered({ message, route, id: requestId, caller, path }, status, ms) {
      logAnswer({
        requestId,
        method: message.method ?? '',
        route,
        path: path ?? pathForLog(message.url ?? ''),
        status,
        ms,
        caller,
        traceparent: traceparentOf(message),
      });
    },
  };
}
