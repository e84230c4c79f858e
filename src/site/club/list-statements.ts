import type { Row, Statement } from '../../read/reader.ts';

export interface ClubsRow extends Row {
  slug: string | null;
  key: string | null;
  clubRevision: string | null;
  document: string | null;
}

/**
 * $1 is the number of rows, $2 the text at which the list begins, $3 the club after which it continues, or
 * null.
 */
export const clubsOfPage: Statement = {
  name: 'site_clubs',
  text: `
    select names.revision, page.*
    from (select revision from published.list_revision where list = 'search') names
    left join lateral (
      select slug, sort_key as key, revision as "clubRevision", document
      from published.club
      where (sort_key, slug) > (coalesce((select sort_key from published.club where slug = $3), $2), coalesce($3, ''))
      order by sort_key, slug
      limit $1
    ) page on true`,
};
