import type { Club } from '../../../contract/club.ts';
import type { Unaddressed } from '../fragments/checked-document.ts';
import type { ClubFacts } from '../../../record/facts/facts.ts';

/** Returns the public club. Lists each field explicitly. */
export function clubResource(club: ClubFacts): Unaddressed<Club> {
  return {
    slug: club.slug,
    name: club.name,
    description: club.description,
    city: club.city,
    country: club.country,
    members: club.members,
    website: club.website,
  };
}
