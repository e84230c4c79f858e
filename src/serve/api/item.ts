import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../contract/errors.ts';
import { sendAnswer } from './answer.ts';
import { type PageFolder, withPageAddress } from '../documents/page-address.ts';
import type { Row, Statement } from '../documents/reader.ts';
import { RefusedRequest } from './errors.ts';
import type { RevisionScope } from '../documents/newest-revisions.ts';
import type { PageParts } from './page.ts';

export interface ItemRequest {
  path: string;
  scope: RevisionScope;
  notFound: ApiError;
  statement: Statement;
  id: string;
  pageFolder: PageFolder;
}

/** Sends one document as `{"data": …}`. */
export async function sendItem(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  item: ItemRequest,
): Promise<FastifyReply> {
  const { documents, siteUrl } = parts;
  return sendAnswer(request, reply, parts, {
    identity: [item.path, siteUrl],
    scope: item.scope,
    read: async ({ held, ...query }) => {
      const { rows, isKeepable } = await documents.read<Row & { document: string }>({
        ...query,
        scope: item.scope,
        statement: item.statement,
        values: [item.id, held],
      });
      const [row] = rows;
      if (row === undefined) throw new RefusedRequest(item.notFound);
      const { revision } = row;
      if (held === null || held.includes(revision)) return { revision, content: undefined, isKeepable };
      const document = withPageAddress(row.document, siteUrl, item.pageFolder, item.id);
      return { revision, content: `{"data":${document}}`, isKeepable };
    },
  });
}
