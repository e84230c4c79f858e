// Stable ids. Results and erasures are tied to them, so they depend on numbers and never on names or on the
// order of rows.
import { createHash } from 'node:crypto';
import { fold } from '../text/fold.ts';

export const participantId = (no: number): string => `p${no}`;

/**
 * Returns the id of a battle. `round` is the number of the round or, in a bracket, its field, so that an
 * earlier round can be added later.
 */
export function battleId(slug: string, stage: string, round: string, one: number, other: number): string {
  const id = [slug, stage, round, Math.min(one, other), Math.max(one, other)].join('_');
  // A slug has no underscore, and neither has a digest, so the two forms never collide.
  return id.length <= 64 ? id : createHash('sha256').update(id).digest('hex').slice(0, 40);
}

/** Returns a slug, which is empty if the name has no letter that an address can contain. */
export const slugOf = (name: string): string =>
  fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, '');
