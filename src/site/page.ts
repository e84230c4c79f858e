import type { RevisionScope, ShownScope } from '../read/newest-revisions.ts';
import type { Row, Statement } from '../read/reader.ts';

// A page is a function from what was asked to text. It reads documents, and says nothing about HTTP:
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
  /** As the router writes it, with names for parts: `/clubs/:slug`. */
  path: string;
  /** The query parameters that it knows. All others are ignored. */
  query: readonly string[];
  /** Made of up to thousands of documents. Few of these are read at the same time. */
  isLarge?: boolean;
  /** What the page is about. */
  scope: (params: PageParameters) => RevisionScope;
  /** Undefined: nothing is published at this address. */
  make: (asked: Asked) => Promise<MadePage | undefined>;
}

export type PageParameters = Readonly<Record<string, string>>;

export interface Asked {
  params: PageParameters;
  /** Only the known parameters. Of a repeated one, the first. */
  query: Partial<Readonly<Record<string, string>>>;
  /** The tags that the browser holds, without those that cannot be current. */
  heldTags: readonly string[];
  /** In UTC. No answer is kept beyond it. */
  today: string;
  /** Runs one statement. Its first row has the revision of the page's scope. */
  read: <R extends Row>(
    statement: Statement,
    values: unknown[],
    /** The other things that the rows show. Without them, the page would stay old when they change. */
    alsoShown?: (rows: R[]) => ShownScope[],
  ) => Promise<R[]>;
}

export interface MadePage {
  /** Undefined: the browser holds the page that has this tag. */
  text: string | undefined;
  /** Of the page's own making. Otherwise it is a digest of the text. */
  tag?: string;
  /** Instead of a page: the path of the one that shows it now, without the path of the site. */
  movedTo?: string;
  /** The default is HTML. */
  type?: string;
  headers?: Readonly<Record<string, string>>;
  /** The page may show what its scopes do not tell: after so long it is made again. */
  keptForMs?: number;
}

/** Slugs and ids as the feed takes them. Everything else has no page, and needs no look at the database. */
export function isSlug(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9-]{1,100}$/.test(text);
}

export function isId(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** The number of a round in an address. */
export function isRound(text: string | undefined): boolean {
  return text !== undefined && /^([1-9][0-9]{0,3}|10000)$/.test(text);
}
