import { errors } from '../contract/errors.ts';
import { longestWindowInYears } from '../contract/parameters.ts';
import { isCalendarDate } from '../contract/patterns.ts';
import { RefusedRequest } from '../http/refused.ts';
import type { Query } from './query.ts';

/** Days as YYYY-MM-DD, both included. This text sorts like the days. */
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

/** The same day of a later year; from a 29 February, the 28th where that year has no 29th. */
function lastDayOfWindow(from: string): string {
  const year = Number(from.slice(0, 4)) + longestWindowInYears;
  // Beyond 9999 the text would sort before every date. There is nothing to bound there.
  if (year > 9999) return '9999-12-31';
  const sameDay = `${String(year).padStart(4, '0')}${from.slice(4)}`;
  return isCalendarDate(sameDay) ? sameDay : sameDay.replace(/29$/, '28');
}
