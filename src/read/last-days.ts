/** The last day of a running tournament, and the day of its last result. */
export type LastDays = readonly [last: string, lastResult: string | null];

/**
 * Null unless the tournament is running. The last day is `-infinity` if neither a date nor a result is known.
 */
export const lastDays = `
  case when tournament.status = 'ongoing' then json_build_array(tournament.last_day, tournament.last_result) end`;
