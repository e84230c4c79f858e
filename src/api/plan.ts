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

// A plan describes how to answer a target. It is made without a database, and knows nothing about HTTP.

export interface Plan {
  identity: AnswerIdentity;
  scope: RevisionScope;
  /** The time from which the same target has another identity. */
  until: number;
  statement: Statement;
  /**
   * Returns the parameters of the statement. `held` contains the revisions that the caller has; null means
   * any.
   */
  values: (held: readonly string[] | null) => unknown[];
  notFound: ApiError;
  /** Refuses a request whose parameters ask for something that the row does not have. */
  check?: (row: Row) => void;
  /** Builds the body. Most statements return only one row. */
  content: (row: Row, rows: Row[]) => string | Buffer;
  /**
   * Returns the scopes, besides the plan's own, whose content the rows show. Their revisions become part of
   * the ETag.
   */
  alsoShown?: (rows: Row[]) => ShownScope[];
}

export interface ApiRoute {
  /** The path as in the contract, with a name for the part that varies. Log and metrics use it. */
  pattern: string;
  plan: (parts: PlanParts, part: string, target: string) => Plan;
}

/** The settings that are visible in answers. */
export interface PlanParts {
  cursors: Cursors;
  /** Returns the public address of the API, with which every `next` begins. */
  apiUrl: () => string;
  /** The public address of the site. */
  siteUrl: string;
  /** The addresses with which every `url` begins. */
  pageBases: PageBases;
  /** The address with which the addresses of players begin. Undefined if the site has no pages. */
  playerPages?: string | undefined;
}

/** Returns the page address that goes into the identity of an answer that shows it. */
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

/** Plans an answer with one document, as `{"data": …}`. */
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
  /** The path of the list, in our own spelling. */
  path: string;
  query: Query;
  scope: RevisionScope;
  notFound: ApiError;
  order: Order<Key>;
  statement: Statement;
  /** The statement that replaces `statement` if the caller filters by status. */
  byStatus?: Statement;
  /** The owner of the list, for example the club's slug. */
  of?: string | undefined;
  /** The folder of the site in which the listed things have pages. Participants have none. */
  pageFolder?: PageFolder;
  /** The same as in a plan. */
  alsoShown?: Plan['alsoShown'];
}

/** Plans one page of a list, between `{"data":[` and `],"next":…}`. */
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
    // The extra row tells us whether there is a next page. A page that shows more than its scope is always
    // read, because its tag contains revisions that only the page itself contains.
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

/** Plans the standings of one stage, or of the default stage. The published document is the whole answer. */
export function standingsPlan(slug: string, stage: string | undefined): Plan {
  return {
    identity: [`/api/v1/tournaments/${slug}/standings`, stage ?? null],
    scope: `tournament:${slug}`,
    until: Infinity,
    statement: standingsOfTournament,
    // PostgreSQL refuses text that contains a NUL, and no stage id contains one.
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

/**
 * Writes the filters always in the same order and spelling, because the cursor and the ETag are bound to this
 * text.
 */
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
