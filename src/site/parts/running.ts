/**
 * Returns the condition for the newest tournaments that are being played. The index `tournament_running`
 * finds them without the ones that nobody closed, whose number only grows. `offset 0` keeps PostgreSQL from
 * reading all tournaments in the order of another index until it has enough.
 */
export const isRunning = (most: string, earliestLastDay: string, where = '') => `slug = any (array(
        select slug
        from (
          select start_date, slug
          from published.tournament
          where status = 'ongoing' and last_day >= ${earliestLastDay}::date ${where}
          offset 0
        ) running
        order by start_date desc, slug desc
        limit ${most}
      ))`;
