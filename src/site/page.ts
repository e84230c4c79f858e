import type { RevisionScope, ShownScope } from '../read/newest-revisions.ts';
import type { Row, Statement } from '../read/reader.ts';

// A page is a function from a request to text. It reads documents and knows nothing about HTTP:
//
//   export function clubPage(site: SiteSettings): PageRoute {
//     return {
//       path: '/clubs/:slug', query: ['before'],
//       scope: ({ slug }) => `club:${slug}`,
//       make: async ({ params, read }) => {
//         const [row] = await read<ClubRow>(clubOfPage, [params.slug]);
//         return row && { text: framed(site, clubParts(site, row)) };
//       },
//     };
//   }

export interface PageRoute {
  /** The pattern for the router, with a name for each variable part: `/clubs/:slug`. */
  path: string;
  /** The known query parameters. All others are ignored. */
  query: readonly string[];
  /**
   * True if the page is made from up to thousands of documents. Only a few of these are read at the same
   * time.
   */
  isLarge?: boolean;
  /** Returns the scope of the thing that the page is about. */
  scope: (params: PageParameters) => RevisionScope;
  /** Makes the page, or returns undefined if nothing is published at this address. */
  make: (asked: PageRequest) => Promise<MadePage | undefined>;
}

export type PageParameters = Readonly<Record<string, string>>;

export interface PageRequest {
  params: PageParameters;
  /** The known parameters. If one is repeated, the first counts. */
  query: Partial<Readonly<Record<string, string>>>;
  /** The tags that the browser holds, without those that cannot be current. */
  heldTags: readonly string[];
  /** The current day in UTC. No answer is kept beyond its end. */
  today: string;
  /** Runs one statement. Its first row has the revision of the page's scope. */
  read: <R extends Row>(
    statement: Statement,
    values: unknown[],
    /** Returns the other things that the rows show. Without them, the page would not follow their changes. */
    alsoShown?: (rows: R[]) => ShownScope[],
  ) => Promise<R[]>;
}

export interface MadePage {
  /** Undefined if the browser holds the page that has this tag. */
  text: string | undefined;
  /** A tag that the page makes itself. Otherwise the tag is a digest of the text. */
  tag?: string;
  /** Set instead of a page: the path of the page that shows the content now, without the path of the site. */
  movedTo?: string;
  /** The content type. The default is HTML. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  /** How long the page may be kept, if it shows anything that its scopes do not cover. */
  keptForMs?: number;
}

/**
 * `isSlug` and `isId` accept what the feed accepts. Everything else has no page, so the database need not be
 * asked.
 */
export function isSlug(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9-]{1,100}$/.test(text);
}

export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** Returns true for the number of a round in an address. */
export function isRound(text: string | undefined): boolean {
  return text !== undefined && /^([1-9][0-9]{0,3}|10000)$/.test(text);
}
