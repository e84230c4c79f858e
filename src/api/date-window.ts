import { errors } from '../contract/errors.ts';
import { longestWindowInYears } from '../contract/parameters.ts';
import { isCalendarDate } from '../contract/patterns.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { Query } from './query.ts';

/** A range of days as YYYY-MM-DD, including both ends. Text in this form sorts in the order of the days. */
export interface DateWindow {
  from: string | undefined;
  to: string | undefined;
}

export function readDateWindow(query: Query): DateWindow {
  const from = query.get('from');
  const to = query.get('to');
  if (from !== undefined && !isCalendarDate(from)) throw new RefusedRequest(errors.fromNotADate);
  if (to !== undefined && !isCalendarDate(to)) throw new RefusedRequest(errors.toNotADate);
  if (from !== undefined && to !== undefined) {
    if (from > to) throw new RefusedRequest(errors.fromAfterTo);
    if (to > lastDayOfWindow(from)) throw new RefusedRequest(errors.windowTooLong);
  }
  return { from, to };
}

/**
 * Returns the same day in the year in which the longest allowed window ends. A 29 February becomes the 28th
 * if that year is not a leap year.
 */
function lastDayOfWindow(from: string): string {
  const year = Number(from.slice(0, 4)) + longestWindowInYears;
  // A year above 9999 would sort as text before every date, and no date is later than 9999-12-31 anyway.
  if (year > 9999) return '9999-12-31';
  const sameDay = `${String(year).padStart(4, '0')}${from.slice(4)}`;
  return isCalendarDate(sameDay) ? sameDay : sameDay.replace(/29$/, '28');
}
