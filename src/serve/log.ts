import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import { loggedPath } from './api/protocol.ts';

export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      // Removes API keys from every line, whichever code wrote it.
      hooks: { streamWrite: (line) => line.replaceAll(/svc_v1_[0-9A-Za-z]+/g, 'svc_v1_(withheld)') },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** One line per request, with the id of the key. Headers and query are never logged, because they may hold keys. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      path: loggedPath(request.raw),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      keyId: request.caller?.keyId,
      accountId: request.caller?.accountId,
    },
    'answered',
  );
}
