/** Parses a stored document. One with a `url` ends where the address begins, so it gets an empty one. */
export function parseDocument(document: string): unknown {
  return JSON.parse(document.endsWith('"url":"') ? `${document}"}` : document);
}
