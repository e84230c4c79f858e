/** Pages need no key. Together they may use as many bytes as one key. */
export const siteOwner = 'site';
/** Files of thousands of documents wait in a queue of their own. */
export const filesOwner = 'site files';

/** A crawler needs no key. It must not be able to take all places from callers. */
export function placesOf(owner: string, places: number): number {
  if (owner === filesOwner) return 2;
  return owner === siteOwner ? Math.ceil(places / 4) : places;
}
