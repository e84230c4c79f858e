import { randomUUID } from 'node:crypto';
import { createServer, METHODS } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { type ApiError, errors } from '../../contract/errors.ts';
import type { LastUse } from '../../keys/last-use.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import { authenticate, authenticateWithin, refuseAbove } from './authenticate.ts';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts';
import { createEarlyRefusals } from './early-refusals.ts';
import { RefusedRequest, renderError } from './errors.ts';
import { createHits } from './hits.ts';
import type { Connections } from '../http/connections.ts';
import type { Limits, Share } from '../limits/limits.ts';
import { hitLog, logAnswer } from '../log.ts';
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

export interface ApiParts extends Omit<PageParts, 'hits'> {
  connections: Connections;
  verifier: KeyVerifier;
  /** Undefined when limits are switched off. */
  limits: Limits | undefined;
  lastUse: LastUse;
  metrics: Metrics;
  logger: Logger;
  waitingReads: () => number;
  /** No more requests of this key can wait for a read. */
  isFullFor: (keyId: string) => boolean;
}

/**
 * The API listener. Every request passes the same hooks in the same order, for any path and method. So a caller
 * without a valid key learns nothing, not even which paths exist.
 */
export function createApi(parts: ApiParts): FastifyInstance {
  // Narrower than pino's own type, which the framework's types do not take.
  const logger: FastifyBaseLogger = parts.logger;
  const pipelines = createPipelines();
  const isLastOf = requestsPerConnection(requestsBeforeClose);
  const log = hitLog(parts.logger);
  const hits = createHits({ ...parts, log, isLastOf });
  const refuseEarly = createEarlyRefusals({ ...parts, log, isLastOf });
  const app = fastify({
    loggerInstance: logger,
    // logAnswer writes one line per answer.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    rewriteUrl: routerTarget,
    serverFactory: (handle) =>
      createServer(limits, (message, response) => {
        pipelines.take(message, response, () => {
          if (!parts.connections.admits(message, response))
            below.refuse(message, response, errors.unavailable);
          // Limits are counted in the framework.
          else if (parts.limits !== undefined) handle(message, response);
          else if (!hits.answer(message, response) && !refuseEarly(message, response))
            handle(message, response);
        });
      }).setTimeout(silenceMs),
    clientErrorHandler: (error, socket) => below.answerUnparseable(error, socket),
    frameworkErrors: (error, request, reply) => void renderError(error, request, reply),
    // While draining, an open connection may still send a request: answer it like any other.
    return503OnClosing: false,
    // The framework's HEAD routes would give a 304 a length of 0; see answerHeadAndRefuseOthers.
    exposeHeadRoutes: false,
    // The router itself would answer longer parameters, before we check the key. The limit on headers bounds them.
    // query.ts parses queries.
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
  parts.connections.limit(app.server);
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
    const isLast = isLastOf(request.raw.socket) || parts.isDraining();
    // We never read bodies. Unread bytes would be parsed as the next request, so close the connection.
    if (isLast || hasBody(request.raw)) reply.header('connection', 'close');
    refuseMalformedMessage(request.raw);
    // A browser sends the preflight without a key. It is the only request that needs none.
    if (isPreflight(request.raw)) return reply.code(204).headers(preflightHeaders).send();
    request.caller = await (parts.limits === undefined
      ? authenticate(request.raw, parts.verifier)
      : authenticateWithin(parts.limits, request.raw, parts.verifier));
    parts.lastUse.note(request.caller.keyId);
    if (parts.limits !== undefined) {
      request.share = await parts.limits.count(request.caller);
      refuseAbove(request.share);
      reply.headers(request.share.headers);
    }
    refuseUndecodableTarget(request.raw);
    if (request.method === 'GET' || request.method === 'HEAD') refuseBody(request.raw);
    return undefined;
  });
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode === 304 && request.share !== undefined) reply.headers(request.share.becomeCheap());
    // Draining may have begun after onRequest.
    if (parts.isDraining()) reply.header('connection', 'close');
    parts.progress.watch(reply.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    logAnswer(request, reply);
    parts.metrics.countAnswer(request.routeOptions.url, reply.statusCode, reply.elapsedTime);
  });

  app.register(
    async (api) => {
      answerHeadAndRefuseOthers(api);
      const pageParts = { ...parts, hits };
      tournamentRoutes(api, pageParts);
      clubRoutes(api, pageParts);
      userRoutes(api, pageParts);
      battleRoutes(api, pageParts);
    },
    { prefix: '/api/v1' },
  );

  // A route gives unknown paths the same deadline as known ones. The not-found handler takes targets without a path.
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
  // Node would answer with an empty body. refuseMalformedMessage checks it instead.
  requireHostHeader: false,
  // By default Node keeps the first of two Host or Authorization headers and drops the other without an error.
  joinDuplicateHeaders: true,
};

/** Adds two routes for every GET route registered after it: HEAD, and a 405 for all other methods. */
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

/** A hook, not a handler: a handler would run only after the framework has read and parsed the body. */
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
    /** For the test that calls each route without a key. */
    registeredRoutes: RegisteredRoute[];
  }
  interface FastifyRequest {
    caller?: Awaited<ReturnType<typeof authenticate>>;
    /** Set when limits are switched on. */
    share?: Share;
  }
}
