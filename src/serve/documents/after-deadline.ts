import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../../database/unavailable.ts';

/** For the failure of a read: when the deadline has answered the request meanwhile, it is no error any more. */
export function unlessAnswered(reply: FastifyReply): (error: unknown) => undefined {
  return (error) => {
    if (!reply.sent || !isUnavailable(error)) throw error;
    return undefined;
  };
}
