import { errors } from '../../contract/errors.ts';
import { longestWindowInYears } from '../../contract/parameters.ts';
import { datePattern } from '../../contract/patterns.ts';
import { RefusedRequest } from './errors.ts';
import type { Query } from './query.ts';

/** Days as YYYY-MM-DD, both included; text that sorts as the days do. */
export interface DateWindow {
  from: string | undefined;
  to: string | undefined;
}

export function readDateWindow(query: Query): DateWindow {
  const from = query.get('from');
  const to = query.get('to');
  if (from !== undefined && !isDate(from)) throw new RefusedRequest(errors.fromNotADate);
  if (to !== undefined && !isDate(to)) throw new RefusedRequest(errors.toNotADate);
  if (from !== undefined && to !== undefined) {
    if (from > to) throw new RefusedRequest(errors.fromAfterTo);
    if (to > lastDayOfWindow(from)) throw new RefusedRequest(errors.windowTooLong);
  }
  return { from, to };
}

const pattern = new RegExp(datePattern);

/** PostgreSQL is never asked: it takes `yesterday`, `infinity` and years before Christ for dates, too. */
export function isDate(text: string): boolean {
  if (!pattern.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

/** The same day a year later; where the calendar has none, the day before it. */
function lastDayOfWindow(from: string): string {
  const [year = 0, month = 0, day = 0] = from.split('-').map(Number);
  const later = year + longestWindowInYears;
  const last = Math.min(day, daysOfMonth(later, month));
  // Beyond 9999 the text would sort before every date; there is nothing to bound there.
  if (later > 9999) return '9999-12-31';
  return [String(later).padStart(4, '0'), pad(month), pad(last)].join('-');
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
