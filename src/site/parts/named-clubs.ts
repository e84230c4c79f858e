import { whole } from '../../read/tournament-parts.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';

/** A club that another page names, because it runs a tournament or somebody plays for it. */
export interface NamedClub {
  slug: string;
  name: string;
  revision: string;
}

/** Returns the part of a statement that reads the `NamedClub` with this slug. */
export const namedClub = (slug: string): string => `(
        select json_build_object('slug', slug, 'name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
        from published.club where club.slug = ${slug}
      )`;

/**
 * Returns the club that a page names, so that the page follows its changes. A slug without a club counts as
 * well, because the club may be published later.
 */
export function clubShown(
  slug: string | null | undefined,
  club: Pick<NamedClub, 'revision'> | null,
): ShownScope[] {
  return !slug ? [] : [{ scope: `club:${slug}`, revision: BigInt(club?.revision ?? 0) }];
}
