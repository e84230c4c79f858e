import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../contract/errors.ts';
import { sendAnswer, sendNotModified } from './answer.ts';
import { type PageFolder, withPageAddress } from '../documents/page-address.ts';
import type { Row, Statement } from '../documents/reader.ts';
import { RefusedRequest } from './errors.ts';
import { revisionsHeld } from '../http/etag.ts';
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
  { documents, siteUrl }: Pick<PageParts, 'documents' | 'siteUrl'>,
  item: ItemRequest,
): Promise<FastifyReply> {
  const identity = [item.path, siteUrl];
  const held = revisionsHeld(request.headers['if-none-match'], identity);
  const [row] = await documents.read<Row & { document: string }>(request.signal, item.scope, item.statement, [
    item.id,
    held,
  ]);
  if (row === undefined) throw new RefusedRequest(item.notFound);
  const { revision } = row;
  if (held === null || held.includes(revision)) return sendNotModified(reply, identity, revision);
  const document = withPageAddress(row.document, siteUrl, item.pageFolder, item.id);
  return sendAnswer(request, reply, identity, revision, `{"data":${document}}`);
}
