import { lastDays, type LastDays } from '../../read/last-days.ts';
import type { Row, Statement } from '../../read/reader.ts';
import type { PagePosition } from '../parts/position.ts';
import { isRunning } from '../parts/running.ts';
import { namedClub, type NamedClub } from '../parts/named-clubs.ts';

export interface TournamentsRow extends Row {
  /** The countries of all published tournaments. */
  countries: string[] | null;
  position: PagePosition | null;
  tournamentRevision: string | null;
  document: string | null;
  /** JSON: who won or leads. */
  leader: string | null;
  lastDays: LastDays | null;
  organizer: string | null;
  /** The organising club of a planned tournament. The others show who won or leads instead. */
  club: NamedClub | null;
}

// Each part of a statement reads one range of one index, as in read/lists.ts. $1 is the number of rows. Then
// come the position at which to begin (day and slug), the last day, the values that the list is filtered by,
// and the earliest last day of a tournament that is being played.

/** Looks into the index once for each country. */
const countries = `
      with recursive known (country, nr) as (
        (
          select country, 1 from published.tournament
          where country is not null order by country limit 1
        )
        union all
        select next.country, nr + 1
        from known cross join lateral (
          select country from published.tournament
          where country is not null and country > known.country order by country limit 1
        ) next
        where nr < 300
      )
      select array_agg(country) from known`;

export const tournamentsOfPage = newestFirst('site_tournaments', {});
export const tournamentsOfStatus = newestFirst('site_tournaments_of_status', { status: '$5' });
export const tournamentsOfCountry = newestFirst('site_tournaments_of_country', { country: '$5' });

export const runningTournaments = listOf('site_running', running('$5'));
export const runningOfCountry = listOf('site_running_of_country', running('$6', 'and country = $5'));

export const finishedTournaments = listOf('site_finished', ...finished('$5', {}));
export const finishedOfCountry = listOf('site_finished_of_country', ...finished('$6', { country: '$5' }));

export const comingTournaments = listOf('site_coming', ...coming({ status: '$5' }));
export const comingOfCountry = listOf('site_coming_of_country', ...coming({ country: '$5', status: '$6' }));

/**
 * Reads the first page of all tournaments: up to $6 that are running and $6 that are to come, then those that
 * are over. $7 is the first day that is still to come.
 */
export const firstTournaments = listOf(
  'site_first_tournaments',
  `${isRunning('$6', '$5')} order by start_date desc, slug desc`,
  `(status, start_date, slug) >= ('planned', $7::date, '') and status <= 'planned'
        order by status, start_date, slug limit $6`,
  `status = 'planned' and start_date = '-infinity' order by slug limit $6`,
  ...finished('$5', {}),
);

/** Columns with the values that they must have. */
type Columns = Readonly<Record<string, string>>;

function newestFirst(name: string, by: Columns): Statement {
  return listOf(name, newest(by));
}

function newest(by: Columns, where = ''): string {
  const order = [...Object.keys(by), 'start_date', 'slug'].map((column) => `${column} desc`).join(', ');
  return `${range(by, '<', '>=')} ${where} order by ${order} limit $1`;
}

function running(earliestLastDay: string, where = ''): string {
  const within = `${where} and (start_date, slug) < ($2::date, $3) and start_date >= $4::date`;
  return `${isRunning('$1', earliestLastDay, within)} order by start_date desc, slug desc`;
}

/** Also reads tournaments that nobody closed although their days are over. The page sorts them in. */
function finished(earliestLastDay: string, by: Columns): string[] {
  return [
    newest({ ...by, status: `'finished'` }),
    newest({ ...by, status: `'ongoing'` }, `and last_day < ${earliestLastDay}::date`),
  ];
}

/** Reads the nearest first, and after the last one those without a day. */
function coming(by: Columns): string[] {
  const order = [...Object.keys(by), 'start_date', 'slug'].join(', ');
  const undated = Object.entries({ ...by, start_date: `'-infinity'` }).map((each) => each.join(' = '));
  return [
    `${range(by, '>', '<=')} order by ${order} limit $1`,
    `${undated.join(' and ')} order by slug limit $1`,
  ];
}

function range(by: Columns, ahead: string, within: string): string {
  const columns = Object.keys(by)
    .map((column) => `${column}, `)
    .join('');
  const values = Object.values(by)
    .map((value) => `${value}, `)
    .join('');
  const known = by['country'] === undefined ? '' : 'country is not null and ';
  return `${known}(${columns}start_date, slug) ${ahead} (${values}$2::date, $3)
        and (${columns}start_date) ${within} (${values}$4::date)`;
}

function listOf(name: string, ...ranges: string[]): Statement {
  const part = (where: string) => `(
      select json_build_array(start_date, slug) as position, revision as "tournamentRevision", document, leader,
        ${lastDays} as "lastDays", organizer, case when status = 'planned' then ${namedClub('organizer')} end as club
      from published.tournament
      where ${where}
    )`;
  return {
    name,
    text: `
    select list.revision, (${countries}) as countries, page.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join lateral (
      ${ranges.map(part).join(' union all ')}
    ) page on true`,
  };
}
