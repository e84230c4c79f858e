/**
 * Returns the lot of a participant who has none in the feed. It is FNV-1a, then mixed so that similar ids
 * ("p1", "p2") get very different lots. Its 31 bits fit a PostgreSQL integer.
 */
export function lotOf(slug: string, participant: string): number {
  let hash = 0x811c9dc5;
  const text = `${slug}/${participant}`;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0x7fffffff;
}
