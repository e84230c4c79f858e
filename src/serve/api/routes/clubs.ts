import type { FastifyInstance } from 'fastify';
import { errors } from '../../../contract/errors.ts';
import { readDateWindow } from '../date-window.ts';
import { clubBySlug } from '../../documents/items.ts';
import { sendItem } from '../item.ts';
import { battlesOfClub, tournamentsOfClub } from '../../documents/lists.ts';
import { byDatePlayed, byStartDate } from '../order.ts';
import { type PageParts, sendPage } from '../page.ts';
import { slugIn } from '../path.ts';
import { readQuery } from '../query.ts';

const notFound = errors.clubNotFound;

export function clubRoutes(api: FastifyInstance, parts: PageParts): void {
  api.get('/clubs/:slug', async (request, reply) => {
    const slug = slugIn(request, notFound);
    return sendItem(request, reply, parts, {
      path: `/api/v1/clubs/${slug}`,
      scope: `club:${slug}`,
      notFound,
      statement: clubBySlug,
      id: slug,
      pageFolder: 'clubs',
    });
  });

  api.get('/clubs/:slug/tournaments', async (request, reply) => {
    const slug = slugIn(request, notFound);
    const query = readQuery(request.url, ['from', 'to', 'cursor', 'limit']);
    const window = readDateWindow(query);
    return sendPage(request, reply, parts, {
      path: `/api/v1/clubs/${slug}/tournaments`,
      query,
      window,
      scope: `club:${slug}`,
      notFound,
      order: byStartDate,
      statement: tournamentsOfClub,
      of: [slug],
      pageFolder: 'tournaments',
    });
  });

  api.get('/clubs/:slug/battles', async (request, reply) => {
    const slug = slugIn(request, notFound);
    const query = readQuery(request.url, ['from', 'to', 'cursor', 'limit']);
    const window = readDateWindow(query);
    return sendPage(request, reply, parts, {
      path: `/api/v1/clubs/${slug}/battles`,
      query,
      window,
      scope: `club:${slug}`,
      notFound,
      order: byDatePlayed,
      statement: battlesOfClub,
      of: [slug],
      pageFolder: 'battles',
    });
  });
}
