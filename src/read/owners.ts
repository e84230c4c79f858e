/** The owner of all pages, which need no key. Together they may use as many bytes as one key. */
export const siteOwner = 'site';
/** The owner of file downloads. Files of thousands of documents wait in a queue of their own. */
export const filesOwner = 'site files';

/**
 * Returns how many of the slots an owner may use. A crawler needs no key, so it must not be able to take all
 * slots from the callers of the API.
 */
export function slotsOf(owner: string, slots: number): number {
  if (owner === filesOwner) return 2;
  return owner === siteOwner ? Math.ceil(slots / 4) : slots;
}
