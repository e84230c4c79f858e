import type { Row, Statement } from '../../read/reader.ts';

export interface SitemapIndexRow extends Row {
  /** Years with tournaments. Null for those without a date. */
  years: (number | null)[];
}

/** The dates are few index look-ups: the first, the last, and one for each year between. */
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

/** A club comes and goes with its name in the search. */
export const sitemapOfClubs: Statement = {
  name: 'site_sitemap_of_clubs',
  text: `
    select names.revision, array(select slug from published.club order by slug limit $1) as slugs
    from (select revision from published.list_revision where list = 'search') names`,
};
