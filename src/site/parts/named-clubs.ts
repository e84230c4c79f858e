import { whole } from '../../read/tournament-parts.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';

/** A club as other pages name it: it runs an event, or somebody plays for it. */
export interface NamedClub {
  slug: string;
  name: string;
  revision: string;
}

/** A part of a statement: the `NamedClub` with this slug. */
export const namedClub = (slug: string): string => `(
        select json_build_object('slug', slug, 'name', ${whole('club.document')} ->> 'name', 'revision', club.revision::text)
        from published.club where club.slug = ${slug}
      )`;

/** A page is old when a club that it names changes. A club that comes later shows itself, too. */
export function clubShown(slug: string | null, club: NamedClub | null): ShownScope[] {
  return slug === null ? [] : [{ scope: `club:${slug}`, revision: BigInt(club?.revision ?? 0) }];
}
