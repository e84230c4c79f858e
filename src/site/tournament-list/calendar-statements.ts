import type { Row, Statement } from '../../read/reader.ts';

export interface CalendarRow extends Row {
  /** The document of the club. Null in the calendar of all tournaments. */
  club: string | null;
  tournamentRevision: string | null;
  document: string | null;
}

// $1 is the greatest number of rows, $2 today, $3 the first day. Tournaments that are to come are taken
// first, beginning with the nearest.

export const calendarOfAll: Statement = {
  name: 'site_calendar',
  text: `
    select list.revision, null as club, event.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join lateral (
      (
        select revision as "tournamentRevision", document from published.tournament
        where start_date >= $2::date
        order by start_date, slug limit $1
      )
      union all
      (
        select revision, document from published.tournament
        where start_date < $2::date and start_date >= $3::date
        order by start_date desc, slug desc limit $1
      )
      limit $1
    ) event on true`,
};

/** $4 is the club. */
export const calendarOfClub: Statement = {
  name: 'site_calendar_of_club',
  text: `
    select club.revision, club.document as club, event.*
    from published.club
    left join lateral (
      (
        select revision as "tournamentRevision", document from published.tournament
        where organizer = $4 and start_date >= $2::date
        order by start_date, slug limit $1
      )
      union all
      (
        select revision, document from published.tournament
        where organizer = $4 and start_date < $2::date and start_date >= $3::date
        order by start_date desc, slug desc limit $1
      )
      limit $1
    ) event on true
    where club.slug = $4`,
};
