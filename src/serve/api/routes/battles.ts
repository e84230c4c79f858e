import type { FastifyInstance } from 'fastify';
import { errors } from '../../../contract/errors.ts';
import { battleById } from '../../documents/items.ts';
import { sendItem } from '../item.ts';
import type { PageParts } from '../page.ts';
import { idIn } from '../path.ts';

export function battleRoutes(api: FastifyInstance, parts: PageParts): void {
  api.get('/battles/:id', async (request, reply) => {
    const id = idIn(request, 'id', errors.battleNotFound);
    return sendItem(request, reply, parts, {
      path: `/api/v1/battles/${id}`,
      scope: `battle:${id}`,
      notFound: errors.battleNotFound,
      statement: battleById,
      id,
      pageFolder: 'battles',
    });
  });
}
