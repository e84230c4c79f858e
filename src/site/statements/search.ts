import type { Row, Statement } from '../../read/reader.ts';
import { search, type Found } from '../../read/search.ts';

export type SearchPageRow = Row & (Found | Record<keyof Found, null>);

export const searchOfPage: Statement = {
  name: 'site_search',
  text: `
    select names.revision, found.*
    from published.search_revision names
    left join lateral (${search.text}) found on true`,
};
