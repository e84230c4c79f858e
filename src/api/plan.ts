import { type ApiError, errors, unknownStage } from '../contract/errors.ts';
import { standingsOfTournament } from '../read/items.ts';
import type { PageRow } from '../read/lists.ts';
import type { RevisionScope, ShownScope } from '../read/newest-revisions.ts';
import { type PageBases, type PageFolder, pageBasesOf, withPageAddress } from '../read/page-address.ts';
import type { Row, Statement } from '../read/reader.ts';
import { linesToList, ownBytes } from '../http/bytes.ts';
import type { AnswerIdentity } from '../http/etag.ts';
import type { Cursors } from './cursor.ts';
import { type DateWindow, readDateWindow } from './date-window.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { Order } from './order.ts';
import { type Query, readLimit, readStatus } from './query.ts';

// A plan says how to answer a target. It is made without a database, and says nothing about HTTP.

export interface Plan {
  identity: AnswerIdentity;
  scope: RevisionScope;
  /** Then the same target has another identity. */
  until: number;
  statement: Statement;
  /** `held` are the revisions that the caller has, null for any. */
  values: (held: readonly string[] | null) => unknown[];
  notFound: ApiError;
  /** Refuses what the parameters ask for and the row does not have. */
  check?: (row: Row) => void;
  /** Most statements return one row. */
  content: (row: Row, rows: Row[]) => string | Buffer;
  /** What the rows show beside the scope. Their revisions are then part of the ETag. */
  alsoShown?: (rows: Row[]) => ShownScope[];
}

export interface Route {
  /** As in the contract, with a name for the part that varies. Log and metrics use it. */
  pattern: string;
  plan: (parts: PlanParts, part: string, target: string) => Plan;
}

/** The settings that show in answers. */
export interface PlanParts {
  cursors: Cursors;
  /** The public address. Every `next` begins with it. */
  apiUrl: () => string;
  /** The public address of the site. */
  siteUrl: string;
  /** What every `url` begins with. */
  pageBases: PageBases;
  /** What the addresses of players begin with. Undefined when the site has no pages. */
  playerPages?: string | undefined;
}

/** The address that an answer shows, for its identity. */
const shownAddress = ({ siteUrl, pageBases }: PlanParts, folder: PageFolder | undefined): string =>
  folder === undefined || pageBases[folder] === pageBasesOf(siteUrl)[folder] ? siteUrl : pageBases[folder];

export interface Item {
  path: string;
  scope: RevisionScope;
  notFound: ApiError;
  statement: Statement;
  id: string;
  pageFolder: PageFolder;
}

/** One document as `{"data": …}`. */
export function itemPlan(parts: PlanParts, item: Item): Plan {
  const { path, scope, notFound, statement, id, pageFolder } = item;
  return {
    identity: [path, shownAddress(parts, pageFolder)],
    scope,
    until: Infinity,
    statement,
    values: (held) => [id, held],
    notFound,
    content: (row) => {
      const { document } = row as Row & { document: string };
      return `{"data":${withPageAddress(document, parts.pageBases[pageFolder], id)}}`;
    },
  };
}

export interface List<Key extends { id: string }> {
  /** Path of the list, in our own spelling. */
  path: string;
  query: Query;
  scope: RevisionScope;
  notFound: ApiError;
  order: Order<Key>;
  statement: Statement;
  /** Instead of it, when a status is asked for. */
  byStatus?: Statement;
  /** The owner of the list, for example the club's slug. */
  of?: string | undefined;
  /** Where the site has the pages of what is listed. Participants have none. */
  pageFolder?: PageFolder;
  /** As in a plan. */
  alsoShown?: Plan['alsoShown'];
}

/** One page of a list, between `{"data":[` and `],"next":…}`. */
export function listPlan<Key extends { id: string }>(parts: PlanParts, list: List<Key>): Plan {
  const { cursors } = parts;
  const { scope, notFound, order, byStatus, alsoShown } = list;
  const apiUrl = parts.apiUrl();
  const window = readDateWindow(list.query);
  const status = readStatus(list.query);
  const limit = readLimit(list.query);
  const filters = filtersOf(window, status);
  const name = `${list.path}?${filters.join('&')}`;
  const cursor = list.query.get('cursor');
  const after = cursor === undefined ? undefined : readCursor(cursors, name, cursor, order);

  const epoch = cursors.cursorEpoch(name);
  const bounds = order.bounds(after, window);
  const base = list.pageFolder && parts.pageBases[list.pageFolder];
  return {
    identity: [name, String(limit), cursor ?? null, apiUrl, shownAddress(parts, list.pageFolder), epoch.id],
    scope,
    until: epoch.endsAt,
    statement: status !== undefined && byStatus !== undefined ? byStatus : list.statement,
    // One row more than asked for tells us whether there is a next page.
    // A page that shows more than its scope is always read: the tag has revisions that only the page tells.
    values: (held) => [
      limit + 1,
      alsoShown ? [] : held,
      ...bounds,
      ...given(list.of),
      ...given(status),
      ...given(base),
    ],
    notFound,
    ...(alsoShown && { alsoShown }),
    content: (row) => {
      const page = row as PageRow & Key;
      let lines = page.documents ?? '';
      let next = 'null';
      if (page.isFull) {
        lines = lines.slice(0, lines.lastIndexOf('\n'));
        const following = epoch.write(order.positionOf(page));
        const parameters = [...filters, `limit=${limit}`, `cursor=${following}`].join('&');
        next = JSON.stringify(`${apiUrl}${list.path}?${parameters}`);
      }
      return linesToList(ownBytes('{"data":[', lines, `],"next":${next}}`));
    },
  };
}

/** The standings of one stage, or of the default stage. The published document is the whole answer. */
export function standingsPlan(slug: string, stage: string | undefined): Plan {
  return {
    identity: [`/api/v1/tournaments/${slug}/standings`, stage ?? null],
    scope: `tournament:${slug}`,
    until: Infinity,
    statement: standingsOfTournament,
    // PostgreSQL refuses text with a NUL. No stage has one.
    values: (held) => [slug, held, stage?.replaceAll('\0', '?') ?? null],
    notFound: errors.tournamentNotFound,
    check: (row) => {
      const { stages } = row as StandingsRow;
      if (stages.length === 0) throw new RefusedRequest(errors.noStages);
      if (stage !== undefined && !stages.includes(stage)) throw new RefusedRequest(unknownStage(stages));
    },
    content: (row) => {
      const { document } = row as StandingsRow;
      if (document === null) throw new Error(`tournament ${slug} has a stage without standings`);
      return document;
    },
  };
}

interface StandingsRow extends Row {
  stages: string[];
  document: string | null;
}

function given(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

/** Always in the same order and spelling, because the cursor and the ETag are bound to it. */
function filtersOf({ from, to }: DateWindow, status: string | undefined): string[] {
  return Object.entries({ from, to, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
}

function readCursor<Key>(cursors: Cursors, list: string, cursor: string, order: Order<Key>) {
  const position = cursors.read(list, cursor);
  if (!order.isPosition(position)) throw new RefusedRequest(errors.invalidCursor);
  return position;
}
