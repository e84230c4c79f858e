import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import { loggedPath } from './api/protocol.ts';

export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      // Whoever logs what, and whatever text it is part of: a key never gets out.
      hooks: { streamWrite: (line) => line.replaceAll(/svc_v1_[0-9A-Za-z]+/g, 'svc_v1_(withheld)') },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** One line per request. It names the key by its id; headers and query are never logged, so no key can be. */
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
