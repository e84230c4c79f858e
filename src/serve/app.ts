import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type ApiError, errors } from '../contract/errors.ts';
import type { Pool } from '../database/pool.ts';
import type { LastUse } from '../keys/last-use.ts';
import type { KeyVerifier } from '../keys/verifier.ts';
import { authenticate } from './authenticate.ts';
import { RefusedRequest, renderError } from './errors.ts';
import { admit } from './in-flight.ts';
import { logAnswer } from './log.ts';
import type { Metrics } from './metrics.ts';
import {
  answerBelowTheFramework,
  answerUnparseable,
  refuseBody,
  refuseMalformedMessage,
  refuseUndecodableTarget,
  routerTarget,
} from './protocol.ts';
import { clubRoutes } from './routes/clubs.ts';

export interface ApiParts {
  documents: Pool;
  verifier: KeyVerifier;
  lastUse: LastUse;
  metrics: Metrics;
  logger: FastifyBaseLogger;
}

/**
 * The API listener: one request from top to bottom. Every request passes the same hooks in the same order, whatever
 * its path and method, so that without a valid key nothing is revealed: not even which paths exist.
 */
export function createApi(parts: ApiParts): FastifyInstance {
  const app = fastify({
    loggerInstance: parts.logger,
    // One line per answer, written by logAnswer.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    rewriteUrl: routerTarget,
    clientErrorHandler: answerUnparseable,
    frameworkErrors: (error, request, reply) => void renderError(error, request, reply),
    // While draining, an open connection may still bring a request: answer it like any other.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // Longer parameters would be answered by the router itself, before the key is looked at. The limit on headers
    // bounds them anyway.
    routerOptions: { maxParamLength: maxHeaderBytes },
    ...limits,
  });
  answerBelowTheFramework(app.server);
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);

  app.setErrorHandler((error, request, reply) => renderError(error, request, reply));
  app.decorateRequest('caller');

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseMalformedMessage(request.raw);
    request.caller = await authenticate(request.raw, parts.verifier);
    parts.lastUse.note(request.caller.keyId);
    refuseUndecodableTarget(request.raw);
    if (request.method === 'GET' || request.method === 'HEAD') refuseBody(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    logAnswer(request, reply);
    parts.metrics.countAnswer(request, reply);
  });

  app.register(
    async (api) => {
      refuseOtherMethods(api);
      api.addHook('preHandler', async (_request, reply) => admit(reply.raw, maxInFlight));
      clubRoutes(api, parts.documents);
    },
    { prefix: '/api/v1' },
  );

  // As a route, an unknown path has the same deadline as a known one; the not-found handler takes what is no path.
  app.all('/*', { onRequest: refuse(errors.endpointNotFound) }, async () => {});
  app.setNotFoundHandler(refuse(errors.endpointNotFound));
  return app;
}

const maxHeaderBytes = 8_192;
const maxInFlight = 64;

const limits = {
  handlerTimeout: 3_000,
  requestTimeout: 10_000,
  connectionTimeout: 15_000,
  keepAliveTimeout: 72_000,
  maxRequestsPerSocket: 1_000,
  bodyLimit: 1_024,
  http: {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // Refused by refuseMalformedMessage instead: Node would answer with an empty body.
    requireHostHeader: false,
  },
};

/** Gives every route registered after it a sibling that answers all other methods with 405. */
function refuseOtherMethods(api: FastifyInstance): void {
  const allowed = ['GET', 'HEAD'];
  const others = METHODS.filter((method) => !allowed.includes(method) && method !== 'CONNECT');
  api.addHook('onRoute', (route) => {
    if (route.method !== 'GET') return;
    api.route({
      method: others,
      url: route.routePath,
      onRequest: refuse(errors.methodNotAllowed, { allow: allowed.join(', ') }),
      handler: async () => {},
    });
  });
}

/** For a hook rather than a handler, which would come only after the body has been read and parsed. */
function refuse(error: ApiError, headers?: Record<string, string>): () => Promise<never> {
  return async () => {
    throw new RefusedRequest(error, headers);
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Awaited<ReturnType<typeof authenticate>>;
  }
}
