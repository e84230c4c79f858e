import type { FastifyInstance } from 'fastify';
import { errors } from '../../contract/errors.ts';
import { slugPattern } from '../../contract/patterns.ts';
import { RefusedRequest } from '../errors.ts';
import { type Documents, sendItem } from '../answer.ts';

export function clubRoutes(api: FastifyInstance, documents: Documents): void {
  api.get<{ Params: { slug: string } }>('/clubs/:slug', async (request, reply) => {
    const document = await clubDocument(documents, request.params.slug);
    if (document === undefined) throw new RefusedRequest(errors.clubNotFound);
    return sendItem(reply, document);
  });
}

const slug = new RegExp(slugPattern);

async function clubDocument(documents: Documents, clubSlug: string): Promise<string | undefined> {
  // What cannot be a slug is nobody's: no query for it, and nothing reaches PostgreSQL that it would choke on.
  if (!slug.test(clubSlug)) return undefined;
  const { rows } = await documents.query({
    name: 'club_by_slug',
    text: 'select document from published.club where slug = $1',
    values: [clubSlug],
  });
  return rows[0]?.document;
}
