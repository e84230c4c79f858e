import type { Row, Statement } from '../../read/reader.ts';
import type { Position } from '../position.ts';

export interface TournamentsRow extends Row {
  /** Of all published tournaments. */
  countries: string[] | null;
  position: Position | null;
  tournamentRevision: string | null;
  document: string | null;
  /** JSON: who won or leads. */
  leader: string | null;
}

// One range of one index each, as in read/lists.ts. $1 is the number of rows, then come the place to begin at (day and slug),
// the last day, and the values that the list is filtered by.

/** One look into the index for each country. */
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

export const tournamentsOfPage = newestFirst('site_tournaments', []);
export const tournamentsOfStatus = newestFirst('site_tournaments_of_status', ['status']);
export const tournamentsOfCountry = newestFirst('site_tournaments_of_country', ['country']);
export const tournamentsOfBoth = newestFirst('site_tournaments_of_both', ['country', 'status']);

export const comingTournaments = nearestFirst('site_coming', ['status']);
export const comingOfCountry = nearestFirst('site_coming_of_country', ['country', 'status']);

function newestFirst(name: string, by: readonly string[]): Statement {
  const order = [...by, 'start_date', 'slug'].map((column) => `${column} desc`).join(', ');
  return listOf(name, `${range(by, '<', '>=')} order by ${order} limit $1`);
}

/** And behind the last ones, those without a day. */
function nearestFirst(name: string, by: readonly string[]): Statement {
  const order = [...by, 'start_date', 'slug'].join(', ');
  const undated = [...by.map((column, i) => `${column} = $${i + 5}`), "start_date = '-infinity'"].join(
    ' and ',
  );
  return listOf(
    name,
    `${range(by, '>', '<=')} order by ${order} limit $1`,
    `${undated} order by slug limit $1`,
  );
}

function range(by: readonly string[], ahead: string, within: string): string {
  const columns = by.map((column) => `${column}, `).join('');
  const values = by.map((_, i) => `$${i + 5}, `).join('');
  const known = by.includes('country') ? 'country is not null and ' : '';
  return `${known}(${columns}start_date, slug) ${ahead} (${values}$2::date, $3)
        and (${columns}start_date) ${within} (${values}$4::date)`;
}

function listOf(name: string, ...ranges: string[]): Statement {
  const part = (where: string) => `(
      select json_build_array(start_date, slug) as position, revision as "tournamentRevision", document, leader
      from published.tournament
      where ${where}
    )`;
  return {
    name,
    text: `
    select list.revision, (${countries}) as countries, page.*
    from (select revision from published.tournament_list limit 1) list
    left join lateral (
      ${ranges.map(part).join(' union all ')}
    ) page on true`,
  };
}
