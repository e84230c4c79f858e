import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../contract/errors.ts';
import { sendAnswer, sendNotModified } from './answer.ts';
import type { Documents, Row, Statement } from './documents.ts';
import { RefusedRequest } from './errors.ts';
import { revisionsHeld } from './etag.ts';
import type { Thing } from './heard.ts';

export interface ItemRequest {
  path: string;
  thing: Thing;
  notFound: ApiError;
  statement: Statement;
  id: string;
}

/** One document, between the braces of its envelope. */
export async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  documents: Documents,
  item: ItemRequest,
): Promise<FastifyReply> {
  const identity = [item.path];
  const held = revisionsHeld(request.headers['if-none-match'], identity);
  const [row] = await documents.read<Row & { document: string }>(request.signal, item.thing, item.statement, [
    item.id,
    held,
  ]);
  if (row === undefined) throw new RefusedRequest(item.notFound);
  const { revision } = row;
  if (held === null || held.includes(revision)) return sendNotModified(reply, identity, revision);
  return sendAnswer(request, reply, identity, revision, `{"data":${row.document}}`);
}

// As in the lists: when the caller holds the revision ($2), the document stays where it is.

export const tournamentBySlug: Statement = {
  name: 'tournament_by_slug',
  text: `
    select revision, case when revision <> all ($2::bigint[]) then document end as document
    from published.tournament
    where slug = $1`,
};

export const clubBySlug: Statement = {
  name: 'club_by_slug',
  text: `
    select revision, case when revision <> all ($2::bigint[]) then document end as document
    from published.club
    where slug = $1`,
};

export const battleById: Statement = {
  name: 'battle_by_id',
  text: `
    select revision,
      (
        select detail.document
        from published.battle_detail detail
        where detail.id = $1 and battle.revision <> all ($2::bigint[])
      ) as document
    from published.battle
    where id = $1`,
};
