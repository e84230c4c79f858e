import type { FastifyInstance } from 'fastify';
import { errors } from '../../../contract/errors.ts';
import { readDateWindow } from '../date-window.ts';
import { battlesOfPlayer } from '../../documents/lists.ts';
import { byDatePlayed } from '../order.ts';
import { type PageParts, sendPage } from '../page.ts';
import { idIn } from '../path.ts';
import { readQuery } from '../query.ts';

export function userRoutes(api: FastifyInstance, parts: PageParts): void {
  api.get('/users/:publicId/battles', async (request, reply) => {
    const id = idIn(request, 'publicId', errors.playerNotFound);
    const query = readQuery(request.url, ['from', 'to', 'cursor', 'limit']);
    const window = readDateWindow(query);
    return sendPage(request, reply, parts, {
      path: `/api/v1/users/${id}/battles`,
      query,
      window,
      scope: `player:${id}`,
      notFound: errors.playerNotFound,
      order: byDatePlayed,
      statement: battlesOfPlayer,
      of: [id],
      pageFolder: 'battles',
    });
  });
}
