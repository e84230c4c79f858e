import type { FastifyInstance } from 'fastify';
import { errors } from '../../../contract/errors.ts';
import { readDateWindow } from '../date-window.ts';
import { tournamentBySlug } from '../../documents/items.ts';
import { sendItem } from '../item.ts';
import {
  battlesOfTournament,
  participantsOfTournament,
  tournaments,
  tournamentsByStatus,
} from '../../documents/lists.ts';
import { byDatePlayed, byName, byStartDate } from '../order.ts';
import { type PageParts, sendPage } from '../page.ts';
import { slugIn } from '../path.ts';
import { readQuery, readStatus } from '../query.ts';
import { sendStandings } from '../standings.ts';

const notFound = errors.tournamentNotFound;
const anyDay = { from: undefined, to: undefined };

export function tournamentRoutes(api: FastifyInstance, parts: PageParts): void {
  api.get('/tournaments', async (request, reply) => {
    const query = readQuery(request.url, ['from', 'to', 'status', 'cursor', 'limit']);
    const window = readDateWindow(query);
    const status = readStatus(query);
    return sendPage(request, reply, parts, {
      path: '/api/v1/tournaments',
      query,
      window,
      status,
      scope: 'tournaments',
      notFound: errors.internalError,
      order: byStartDate,
      statement: status === undefined ? tournaments : tournamentsByStatus,
      of: status === undefined ? [] : [status],
      pageFolder: 'tournaments',
    });
  });

  api.get('/tournaments/:slug', async (request, reply) => {
    const slug = slugIn(request, notFound);
    return sendItem(request, reply, parts, {
      path: `/api/v1/tournaments/${slug}`,
      scope: `tournament:${slug}`,
      notFound,
      statement: tournamentBySlug,
      id: slug,
      pageFolder: 'tournaments',
    });
  });

  api.get('/tournaments/:slug/standings', async (request, reply) => {
    const slug = slugIn(request, notFound);
    const query = readQuery(request.url, ['stage']);
    return sendStandings(request, reply, parts, slug, query.get('stage'));
  });

  api.get('/tournaments/:slug/participants', async (request, reply) => {
    const slug = slugIn(request, notFound);
    const query = readQuery(request.url, ['cursor', 'limit']);
    return sendPage(request, reply, parts, {
      path: `/api/v1/tournaments/${slug}/participants`,
      query,
      window: anyDay,
      scope: `tournament:${slug}`,
      notFound,
      order: byName,
      statement: participantsOfTournament,
      of: [slug],
    });
  });

  api.get('/tournaments/:slug/battles', async (request, reply) => {
    const slug = slugIn(request, notFound);
    const query = readQuery(request.url, ['cursor', 'limit']);
    return sendPage(request, reply, parts, {
      path: `/api/v1/tournaments/${slug}/battles`,
      query,
      window: anyDay,
      scope: `tournament:${slug}`,
      notFound,
      order: byDatePlayed,
      statement: battlesOfTournament,
      of: [slug],
      pageFolder: 'battles',
    });
  });
}
