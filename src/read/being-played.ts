import { daysBefore } from '../text/days.ts';
import type { LastDays } from './last-days.ts';

// An event that nobody closes would run for ever. It counts as being played until the end of the UTC day
// after its last day, so that evenings west of us still count, and so do results that are entered on the next
// morning.

/** Returns the earliest last day that an event can have if it is still being played. */
export function earliestLastDay(today: string): string {
  return daysBefore(today, 1);
}

/**
 * An event that its source still calls running although its days are over, with the day of its last result.
 */
export interface Past {
  lastResult: string | null;
}

/** Returns undefined if the event is being played, or if its source does not call it running. */
export function pastEvent(days: LastDays | null | undefined, today: string): Past | undefined {
  return !days || days[0] >= earliestLastDay(today) ? undefined : { lastResult: days[1] };
}
