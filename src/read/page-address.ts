/** The folders of pages on the site, for documents that have a `url`. */
export type PageFolder = 'tournaments' | 'clubs' | 'battles';

/**
 * Completes a document with its `url`, the last member. The publisher stores the document up to the address,
 * because addresses are settings of the server.
 */
export function withPageAddress(document: string, base: string, key: string): string {
  return `${document}${base}${key}"}`;
}

/** The beginning of the addresses of pages, by folder. The key of the thing follows. */
export type PageBases = Readonly<Record<PageFolder, string>>;

/** Addresses of pages that the operator has elsewhere. */
interface OwnPages {
  tournamentUrl?: string | undefined;
  clubUrl?: string | undefined;
  battleUrl?: string | undefined;
}

/** Returns the addresses of pages, which are on the site unless the operator has pages of their own. */
export const pageBasesOf = (siteUrl: string, own: OwnPages = {}): PageBases => ({
  tournaments: own.tournamentUrl ?? `${siteUrl}/tournaments/`,
  clubs: own.clubUrl ?? `${siteUrl}/clubs/`,
  battles: own.battleUrl ?? `${siteUrl}/battles/`,
});

/** Parses a stored document without its address. */
export function parseStored<T extends { url: string }>(document: string): Omit<T, 'url'> {
  return JSON.parse(`${document}"}`) as T;
}
