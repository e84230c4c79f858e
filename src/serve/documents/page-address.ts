/** Documents with a `url`, by the folder of their page on the site. */
export type PageFolder = 'tournaments' | 'clubs' | 'battles';

/**
 * Completes a document with its `url`, the last member. The publisher stores it up to the address, because addresses
 * are settings of the server.
 */
export function withPageAddress(document: string, siteUrl: string, folder: PageFolder, key: string): string {
  return `${withoutAddress(document)}${siteUrl}/${folder}/${key}"}`;
}

const urlMember = '"url":"';

/** Documents of older versions are complete: they end with the address that the publisher knew, and a brace. */
function withoutAddress(document: string): string {
  if (!document.endsWith('}')) return document;
  return document.slice(0, document.lastIndexOf(urlMember) + urlMember.length);
}
