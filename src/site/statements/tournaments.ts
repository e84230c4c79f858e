import type { Row, Statement } from '../../read/reader.ts';
import type { Position } from '../position.ts';

export interface TournamentsRow extends Row {
  position: Position | null;
  document: string | null;
}

// One range of one index each, as in documents/lists.ts. $1 is the number of rows, then come the bounds.

export const tournamentsOfPage: Statement = {
  name: 'site_tournaments',
  text: `
    select list.revision, page.*
    from published.tournament_list list
    left join lateral (
      select json_build_array(start_date, slug) as position, document
      from published.tournament
      where (start_date, slug) < ($2::date, $3) and start_date >= $4::date
      order by start_date desc, slug desc
      limit $1
    ) page on true`,
};

export const tournamentsOfStatus: Statement = {
  name: 'site_tournaments_of_status',
  text: `
    select list.revision, page.*
    from published.tournament_list list
    left join lateral (
      select json_build_array(start_date, slug) as position, document
      from published.tournament
      where (status, start_date, slug) < ($5, $2::date, $3) and (status, start_date) >= ($5, $4::date)
      order by status desc, start_date desc, slug desc
      limit $1
    ) page on true`,
};
