import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../contract/errors.ts';
import { idPattern, slugPattern } from '../../contract/patterns.ts';
import { RefusedRequest } from './errors.ts';

// Text that cannot be a slug or an id is answered with 404, without a query. So PostgreSQL never gets text it refuses.

export function slugIn(request: FastifyRequest, notFound: ApiError): string {
  return matching(slug, (request.params as { slug?: string }).slug, notFound);
}

export function idIn(request: FastifyRequest, name: 'id' | 'publicId', notFound: ApiError): string {
  return matching(id, (request.params as Record<string, string | undefined>)[name], notFound);
}

const slug = new RegExp(slugPattern);
const id = new RegExp(idPattern);

function matching(pattern: RegExp, given: string | undefined, notFound: ApiError): string {
  if (given === undefined || !pattern.test(given)) throw new RefusedRequest(notFound);
  return given;
}
