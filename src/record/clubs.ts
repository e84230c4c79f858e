import type { PoolClient } from 'pg';
import type { FeedRecord } from './feed.ts';

/** The facts of a club, as they are stored. */
export interface ClubFacts {
  slug: string;
  name: string;
  description: string;
  city: string | null;
  country: string | null;
  website: string | null;
  members: number;
}

/** Records a club and, when anything changed, marks it as stale in the same statement. */
export async function recordClub(client: PoolClient, club: FeedRecord): Promise<void> {
  await client.query({
    name: 'record_club',
    text: `
      with changed as (
        insert into record.club as club (slug, name, description, city, country, website, members)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (slug) do update
          set name = excluded.name, description = excluded.description, city = excluded.city,
            country = excluded.country, website = excluded.website, members = excluded.members
          where row(club.*) is distinct from row(excluded.*)
        returning slug
      )
      insert into record.stale (kind, key) select 'club', slug from changed`,
    values: [
      club.slug,
      club.name,
      club.description ?? '',
      club.city ?? null,
      club.country ?? null,
      club.website ?? null,
      club.members,
    ],
  });
}

export async function readClubs(client: PoolClient, slugs: string[]): Promise<ClubFacts[]> {
  const { rows } = await client.query<ClubFacts>({
    name: 'read_clubs',
    text: `
      select slug, name, description, city, country, website, members
      from record.club where slug = any ($1) order by slug`,
    values: [slugs],
  });
  return rows;
}
