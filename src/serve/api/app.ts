import { randomUUID } from 'node:crypto';
import { createServer, METHODS } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type ApiError, errors } from '../../contract/errors.ts';
import type { LastUse } from '../../keys/last-use.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import { authenticate } from './authenticate.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { RefusedRequest, renderError } from './errors.ts';
import { logAnswer } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { PageParts } from './page.ts';
import { createPipelines } from './pipelines.ts';
import {
  answersBelowTheFramework,
  hasBody,
  refuseBody,
  refuseMalformedMessage,
  refuseUndecodableTarget,
  requestsPerConnection,
  routerTarget,
} from './protocol.ts';
import { battleRoutes } from './routes/battles.ts';
import { clubRoutes } from './routes/clubs.ts';
import { tournamentRoutes } from './routes/tournaments.ts';
import { userRoutes } from './routes/users.ts';

export interface ApiParts extends PageParts {
  /** From the moment it is true, every answer asks the caller to close the connection. */
  isDraining: () => boolean;
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
  const pipelines = createPipelines();
  const app = fastify({
    loggerInstance: parts.logger,
    // One line per answer, written by logAnswer.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    rewriteUrl: routerTarget,
    serverFactory: (handle) =>
      createServer(limits, (message, response) => {
        pipelines.take(message, response, () => handle(message, response));
      }).setTimeout(silenceMs),
    clientErrorHandler: (error, socket) => below.answerUnparseable(error, socket),
    frameworkErrors: (error, request, reply) => void renderError(error, request, reply),
    // While draining, an open connection may still bring a request: answer it like any other.
    return503OnClosing: false,
    // The framework's own would give a 304 a length of 0; see answerHeadAndRefuseOthers.
    exposeHeadRoutes: false,
    // Longer parameters would be answered by the router itself, before the key is looked at. The limit on headers
    // bounds them anyway.
    // Queries are read by hand, see query.ts.
    routerOptions: { maxParamLength: maxHeaderBytes, querystringParser: () => ({}) },
    handlerTimeout: 3_000,
    bodyLimit: 1_024,
  });
  const below = answersBelowTheFramework(
    app.server,
    pipelines,
    (error) => {
      parts.metrics.countAnswer('none', error.status, 0);
    },
    parts.logger,
  );
  const countRequest = requestsPerConnection(requestsBeforeClose);
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);

  const routes: RegisteredRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ method: each, url });
  });
  app.decorate('registeredRoutes', routes);

  app.setErrorHandler((error, request, reply) => renderError(error, request, reply));
  app.decorateRequest('caller');

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, ...corsHeaders });
    const isLast = countRequest(request.raw.socket) || parts.isDraining();
    // Of a body that nobody will read, the rest would be taken for the next request.
    if (isLast || hasBody(request.raw)) reply.header('connection', 'close');
    refuseMalformedMessage(request.raw);
    // A browser asks before it sends the key: the only thing answered without one.
    if (isPreflight(request.raw)) return reply.code(204).headers(preflightHeaders).send();
    request.caller = await authenticate(request.raw, parts.verifier);
    parts.lastUse.note(request.caller.keyId);
    refuseUndecodableTarget(request.raw);
    if (request.method === 'GET' || request.method === 'HEAD') refuseBody(request.raw);
    return undefined;
  });
  app.addHook('onSend', async (_request, reply) => {
    // Draining may have begun while the answer was on its way.
    if (parts.isDraining()) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    logAnswer(request, reply);
    parts.metrics.countAnswer(request.routeOptions.url, reply.statusCode, reply.elapsedTime);
  });

  app.register(
    async (api) => {
      answerHeadAndRefuseOthers(api);
      tournamentRoutes(api, parts);
      clubRoutes(api, parts);
      userRoutes(api, parts);
      battleRoutes(api, parts);
    },
    { prefix: '/api/v1' },
  );

  // As a route, an unknown path has the same deadline as a known one; the not-found handler takes what is no path.
  app.all('/*', { onRequest: refuse(errors.endpointNotFound) }, async () => {});
  app.setNotFoundHandler(refuse(errors.endpointNotFound));
  return app;
}

const maxHeaderBytes = 8_192;
const requestsBeforeClose = 1_000;

const silenceMs = 15_000;

const limits = {
  maxHeaderSize: maxHeaderBytes,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 1_000,
  // Refused by refuseMalformedMessage instead: Node would answer with an empty body.
  requireHostHeader: false,
};

/** Gives every route registered after it a sibling for HEAD, and one that answers all other methods with 405. */
function answerHeadAndRefuseOthers(api: FastifyInstance): void {
  const allowed = ['GET', 'HEAD'];
  const others = METHODS.filter((method) => !allowed.includes(method) && method !== 'CONNECT');
  api.addHook('onRoute', ({ method, routePath: url, handler }) => {
    if (method !== 'GET') return;
    // Node sends no body for HEAD, so the handler is the same.
    api.route({ method: 'HEAD', url, handler });
    const onRequest = refuse(errors.methodNotAllowed, { allow: allowed.join(', ') });
    api.route({ method: others, url, onRequest, handler: async () => {} });
  });
}

/** For a hook rather than a handler, which would come only after the body has been read and parsed. */
function refuse(error: ApiError, headers?: Record<string, string>): () => Promise<never> {
  return async () => {
    throw new RefusedRequest(error, headers);
  };
}

interface RegisteredRoute {
  method: string;
  url: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** For the test that tries each of them without a key. */
    registeredRoutes: RegisteredRoute[];
  }
  interface FastifyRequest {
    caller?: Awaited<ReturnType<typeof authenticate>>;
  }
}
