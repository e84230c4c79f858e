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
