import { daysBefore } from '../text/days.ts';
import type { LastDays } from './last-days.ts';

// An event that nobody closes would run for ever. It is being played until the end of the UTC day after its last day, so that
// evenings west of us and results that are typed on the next morning still count.

/** The earliest last day of an event that is being played. */
export function earliestLastDay(today: string): string {
  return daysBefore(today, 1);
}

/** The day of the last result of an event that its source still calls running although its days are over. */
export interface Past {
  lastResult: string | null;
}

/** Undefined: the event is being played, or it is not called running at all. */
export function pastEvent(days: LastDays | null | undefined, today: string): Past | undefined {
  return !days || days[0] >= earliestLastDay(today) ? undefined : { lastResult: days[1] };
}
