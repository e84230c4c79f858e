import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../../contract/errors.ts';
import { errors } from '../../contract/errors.ts';
import { type AnswerParts, sendAnswer } from './answer.ts';
import type { Cursors } from './cursor.ts';
import type { DateWindow } from './date-window.ts';
import { linesToList, ownBytes } from '../http/bytes.ts';
import type { PageRow } from '../documents/lists.ts';
import { type PageFolder, withOneAddress } from '../documents/page-address.ts';
import type { Documents, Statement } from '../documents/reader.ts';
import { RefusedRequest } from './errors.ts';
import type { RevisionScope } from '../documents/newest-revisions.ts';
import type { Order } from './order.ts';
import { readLimit, type Query } from './query.ts';

// Sends one page of any list:
//
//   const query = readQuery(request.url, ['from', 'to', 'cursor', 'limit']);
//   return sendPage(request, reply, parts, {
//     path: `/api/v1/clubs/${slug}/battles`, query, window: readDateWindow(query), scope: `club:${slug}`,
//     notFound: errors.clubNotFound, order: byDatePlayed, statement: battlesOfClub, of: [slug],
//     pageFolder: 'battles',
//   });

export interface PageParts extends AnswerParts {
  documents: Documents;
  cursors: Cursors;
  /** The public address. Every `next` begins with it. */
  apiUrl: () => string;
  /** The public address of the site. Every `url` begins with it. */
  siteUrl: string;
}

export interface ListRequest<Key extends { id: string }> {
  /** Path of the list, in our own spelling. */
  path: string;
  query: Query;
  window: DateWindow;
  /** The other filter beside the window. */
  status?: string | undefined;
  scope: RevisionScope;
  notFound: ApiError;
  order: Order<Key>;
  statement: Statement;
  /** The owner of the list (for example the club's slug): the last parameters of the statement. */
  of: string[];
  /** Where the site has the pages of what is listed. Participants have none. */
  pageFolder?: PageFolder;
}

export async function sendPage<Key extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  list: ListRequest<Key>,
): Promise<FastifyReply> {
  const { documents, cursors, apiUrl, siteUrl } = parts;
  const limit = readLimit(list.query);
  const filters = filtersOf(list);
  const name = `${list.path}?${filters.join('&')}`;
  const cursor = list.query.get('cursor');
  const after = cursor === undefined ? undefined : readCursor(cursors, name, cursor, list.order);

  const era = cursors.era(name);
  const bounds = list.order.bounds(after, list.window);
  const folderUrl = list.pageFolder === undefined ? undefined : `${siteUrl}/${list.pageFolder}`;
  return sendAnswer(request, reply, parts, {
    identity: [name, String(limit), cursor ?? null, apiUrl(), siteUrl, era.id],
    scope: list.scope,
    until: era.endsAt,
    read: async ({ held, ...query }) => {
      const { rows, isKeepable } = await documents.read<PageRow & Key>({
        ...query,
        scope: list.scope,
        statement: list.statement,
        // One row more than asked for tells us whether there is a next page.
        values: [limit + 1, held, ...bounds, ...list.of, ...(folderUrl === undefined ? [] : [folderUrl])],
      });
      const [row] = rows;
      if (row === undefined) throw new RefusedRequest(list.notFound);
      const { revision, isFull } = row;
      if (held === null || held.includes(revision)) return { revision, content: undefined, isKeepable };

      let lines = row.documents ?? '';
      let next = 'null';
      if (isFull) {
        lines = lines.slice(0, lines.lastIndexOf('\n'));
        const following = era.write(list.order.positionOf(row));
        const parameters = [...filters, `limit=${limit}`, `cursor=${following}`].join('&');
        next = JSON.stringify(`${apiUrl()}${list.path}?${parameters}`);
      }
      if (folderUrl !== undefined) lines = withOneAddress(lines, folderUrl);
      const content = linesToList(ownBytes('{"data":[', lines, `],"next":${next}}`));
      return { revision, content, isKeepable };
    },
  });
}

/** Always in the same order and spelling, because the cursor and the ETag are bound to it. */
function filtersOf<Key extends { id: string }>({ window: { from, to }, status }: ListRequest<Key>): string[] {
  const given = { from, to, status };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

function readCursor<Key>(cursors: Cursors, list: string, cursor: string, order: Order<Key>) {
  const position = cursors.read(list, cursor);
  if (!order.isPosition(position)) throw new RefusedRequest(errors.invalidCursor);
  return position;
}
