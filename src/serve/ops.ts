import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { errors } from '../contract/errors.ts';
import { type Answer, Call } from '../http/call.ts';
import { createListener, type ListenerParts, type Route } from '../http/listener.ts';
import { refusalFor } from '../http/refused.ts';
import type { Metrics } from './metrics.ts';

export interface OpsParts extends ListenerParts {
  metrics: Metrics;
  /** Returns undefined if the server is ready, and otherwise the reason why not. */
  notReady: () => Promise<string | undefined>;
  logger: Logger;
}

/**
 * Creates the private listener. Liveness only means that the process answers, because a restart does not
 * repair a database.
 */
export function createOps({ metrics: { registry }, notReady, logger, ...parts }: OpsParts): Server {
  const routes: Route[] = [
    { pattern: '/live', answer: () => json(200, { live: true }) },
    {
      pattern: '/ready',
      isSlow: true,
      async answer() {
        const reason = await notReady();
        return reason === undefined ? json(200, { ready: true }) : json(503, { ready: false, reason });
      },
    },
    {
      pattern: '/metrics',
      isSlow: true,
      answer: async () => answerOf(200, registry.contentType, await registry.metrics()),
    },
  ];
  return createListener(
    {
      undecodable: errors.endpointNotFound,
      open: (message, response) => new Call(message, response, 'ops'),
      admitsNow: () => false,
      everyAnswer: () => ({}),
      refusal(thrown) {
        const { error, headers } = refusalFor(thrown);
        if (error.status === 500) logger.error({ err: thrown }, 'the private listener failed');
        return { ...answerOf(error.status, 'text/plain; charset=utf-8', `${error.message}\n`), headers };
      },
    },
    routes,
    // Monitoring is not counted, and a crowd of callers must not keep it out.
    { ...parts, countAnswer: () => {}, connections: { limit: () => {}, admits: () => true } },
  );
}

function json(status: number, value: object): Answer {
  return answerOf(status, 'application/json; charset=utf-8', JSON.stringify(value));
}

function answerOf(status: number, type: string, text: string): Answer {
  return { status, headers: {}, type, body: { bytes: Buffer.from(text) } };
}
