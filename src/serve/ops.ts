import fastify, { type FastifyInstance } from 'fastify';
import { serverOptions, silenceMs } from '../http/server-options.ts';
import type { Metrics } from './metrics.ts';

export interface OpsParts {
  metrics: Metrics;
  /** Undefined when ready, otherwise the reason. */
  notReady: () => Promise<string | undefined>;
}

/** The private listener. Liveness only means that the process answers: a restart does not repair a database. */
export function createOps(parts: OpsParts): FastifyInstance {
  const app = fastify({
    ...serverOptions,
    http: serverOptions,
    connectionTimeout: silenceMs,
    forceCloseConnections: true,
  });

  app.get('/live', async () => ({ live: true }));

  app.get('/ready', async (_request, reply) => {
    const reason = await parts.notReady();
    if (reason === undefined) return { ready: true };
    return reply.code(503).send({ ready: false, reason });
  });

  app.get('/metrics', async (_request, reply) => {
    return reply.type(parts.metrics.registry.contentType).send(await parts.metrics.registry.metrics());
  });
  return app;
}
