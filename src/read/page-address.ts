/** Documents with a `url`, by the folder of their page on the site. */
export type PageFolder = 'tournaments' | 'clubs' | 'battles';

/**
 * Completes a document with its `url`, the last member. The publisher stores it up to the address, because addresses
 * are settings of the server.
 */
export function withPageAddress(document: string, base: string, key: string): string {
  return `${document}${base}${key}"}`;
}

/** What the addresses of pages begin with. The key of the thing follows. */
export type PageBases = Readonly<Record<PageFolder, string>>;

/** Pages that the operator has elsewhere. */
interface OwnPages {
  tournamentUrl?: string | undefined;
  clubUrl?: string | undefined;
  battleUrl?: string | undefined;
}

/** They are on the site, unless the operator has pages of their own. */
export const pageBasesOf = (siteUrl: string, own: OwnPages = {}): PageBases => ({
  tournaments: own.tournamentUrl ?? `${siteUrl}/tournaments/`,
  clubs: own.clubUrl ?? `${siteUrl}/clubs/`,
  battles: own.battleUrl ?? `${siteUrl}/battles/`,
});

/** A stored document as an object, without its address. */
export function parseStored<T extends { url: string }>(document: string): Omit<T, 'url'> {
  return JSON.parse(`${document}"}`) as T;
}
