import { InvalidArgumentError } from 'commander';

/** Parses an age (`7d`, `12h`, `30m`) or a date, and returns the point in time. */
export function pastMoment(given: string): Date {
  return momentOf(given, -1);
}

/** Parses a time from now (`90d`) or a date, which must be in the future. */
export function futureMoment(given: string): Date {
  const moment = momentOf(given, 1);
  if (moment.getTime() <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return moment;
}

export function durationMs(given: string): number {
  const ms = asDuration(given);
  if (ms === undefined)
    throw new InvalidArgumentError('It must be a number of days, hours or minutes, like 7d, 12h or 30m.');
  return ms;
}

function momentOf(given: string, direction: 1 | -1): Date {
  const ms = asDuration(given);
  const moment = ms === undefined ? asDate(given) : new Date(Date.now() + direction * ms);
  if (moment === undefined) {
    throw new InvalidArgumentError(
      'It must be a number of days, hours or minutes (90d, 12h, 30m), a date (2026-12-31) or a time (2026-12-31T18:00Z).',
    );
  }
  return moment;
}

function asDuration(given: string): number | undefined {
  const [, amount, unit] = /^(\d{1,5})([mhd])$/.exec(given) ?? [];
  return unit === undefined ? undefined : Number(amount) * unitMs[unit as keyof typeof unitMs];
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a date. A day without a time means midnight UTC, and a time needs its zone. Date.parse alone would
 * accept much more, even 30 February.
 */
function asDate(given: string): Date | undefined {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(given) ?? [];
  if (day === undefined) return undefined;
  const midnight = new Date(day);
  const isCalendarDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  const moment = new Date(given);
  return isCalendarDay && !Number.isNaN(moment.getTime()) ? moment : undefined;
}
