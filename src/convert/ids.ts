// Ids that hold: results and erasures are tied to them, so they depend on numbers and never on names or on the order of
// rows.
import { createHash } from 'node:crypto';
import { fold } from '../text/fold.ts';

export const participantId = (no: number): string => `p${no}`;

/** `round` is the number of the round, or its field in a bracket, so that an earlier round may be added later. */
export function battleId(slug: string, stage: string, round: string, one: number, other: number): string {
  const id = [slug, stage, round, Math.min(one, other), Math.max(one, other)].join('_');
  // A slug has no underscore, and a digest has none: the two kinds cannot meet.
  return id.length <= 64 ? id : createHash('sha256').update(id).digest('hex').slice(0, 40);
}

/** Empty when the name has no letter that an address can have. */
export const slugOf = (name: string): string =>
  fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, '');
