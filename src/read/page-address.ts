/** Documents with a `url`, by the folder of their page on the site. */
export type PageFolder = 'tournaments' | 'clubs' | 'battles';

/**
 * Completes a document with its `url`, the last member. The publisher stores it up to the address, because addresses
 * are settings of the server.
 */
export function withPageAddress(document: string, base: string, key: string): string {
  return withOneAddress(`${document}${base}${key}"}`, base);
}

/** What the addresses of pages begin with. The key of the thing follows. */
export type PageBases = Readonly<Record<PageFolder, string>>;

export const pagesOfSite = (siteUrl: string): PageBases => ({
  tournaments: `${siteUrl}/tournaments/`,
  clubs: `${siteUrl}/clubs/`,
  battles: `${siteUrl}/battles/`,
});

/** The operator's own pages, where there are some. */
export interface OwnPages {
  tournamentUrl?: string | undefined;
  clubUrl?: string | undefined;
  battleUrl?: string | undefined;
}

export function pageBasesOf(siteUrl: string, own: OwnPages): PageBases {
  const { tournaments, clubs, battles } = pagesOfSite(siteUrl);
  return {
    tournaments: own.tournamentUrl ?? tournaments,
    clubs: own.clubUrl ?? clubs,
    battles: own.battleUrl ?? battles,
  };
}

/**
 * Documents of older versions are complete: they end with the address that the publisher knew, and a brace. The server's
 * address then follows the brace, and the one before it goes. No text inside of a document looks like a `url` member,
 * because its quotes are escaped.
 */
export function withOneAddress(documents: string, address: string): string {
  // Looking for a text is much cheaper than the pattern.
  if (!documents.includes(`"}${address}`)) return documents;
  return documents.replaceAll(/"url":"[^"\\]*"\}/g, (member, at: number) =>
    documents.startsWith(address, at + member.length) ? '"url":"' : member,
  );
}

/** A stored document as an object, without its address. */
export function parseStored<T extends { url: string }>(document: string): Omit<T, 'url'> {
  return JSON.parse(document.endsWith('}') ? document : `${document}"}`) as T;
}
