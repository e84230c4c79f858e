import { daysBefore } from '../text/days.ts';
import type { LastDays } from './last-days.ts';

// An event that is never closed would run for ever. It is old when its last day and its newest battle are more than 14 days
// ago. An event without any day is never old.

/** The earliest last day of an event that is not old. */
export function earliestLastDay(today: string): string {
  return daysBefore(today, 14);
}

/** Of an old event: the day of its newest battle, else its last day. */
export function noResultsSince(days: LastDays | null | undefined, today: string): string | undefined {
  if (!days || days[0] >= earliestLastDay(today)) return undefined;
  return days[1] ?? days[0];
}
