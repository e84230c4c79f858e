import type { Row, Statement } from '../../read/reader.ts';

export interface SitemapIndexRow extends Row {
  /** The years that have tournaments. Null stands for tournaments without a date. */
  years: (number | null)[];
}

/**
 * Finds the years with a few index look-ups: the first date, the last date, and one for each year between
 * them.
 */
export const sitemapIndex: Statement = {
  name: 'site_sitemap_index',
  text: `
    select list.revision, array(
      select year
      from (
        select extract(year from min(start_date))::int as first, extract(year from max(start_date))::int as last
        from published.tournament
        where start_date > '-infinity'
      ) ends, generate_series(first, last) as year
      where exists (
        select from published.tournament
        where start_date >= make_date(year, 1, 1) and start_date < make_date(year + 1, 1, 1)
      )
    ) || array(
      select null::int where exists (select from published.tournament where start_date = '-infinity')
    ) as years
    from (select revision from published.list_revision where list = 'tournaments') list`,
};

export interface SitemapRow extends Row {
  slugs: string[];
}

export const sitemapOfYear: Statement = {
  name: 'site_sitemap_of_year',
  text: `
    select list.revision, array(
      select slug from published.tournament
      where start_date >= $1::date and start_date < $2::date
      order by start_date, slug
      limit $3
    ) as slugs
    from (select revision from published.list_revision where list = 'tournaments') list`,
};

/** The revision is that of the search, because a club appears and disappears there at the same time. */
export const sitemapOfClubs: Statement = {
  name: 'site_sitemap_of_clubs',
  text: `
    select names.revision, array(select slug from published.club order by slug limit $1) as slugs
    from (select revision from published.list_revision where list = 'search') names`,
};
