/** Of a running event. The later one of its end (else its start) and its newest battle, and the day of that battle. */
export type LastDays = readonly [last: string, newestBattle: string | null];

/** Null when it does not run. `infinity` when it has no day. */
export const lastDays = `
  case when tournament.status = 'ongoing' then json_build_array(tournament.last_day, (
    select nullif(newest.date, '-infinity')
    from published.battle newest
    where newest.tournament = tournament.slug
    order by newest.date desc
    limit 1
  )) end`;
