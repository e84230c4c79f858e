// Calendar days as whole numbers (days since 1970-01-01). They are local dates, without a time zone.

const daySeconds = 86_400;

export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / (1000 * daySeconds);
}

export function dateOf(day: number): string {
  return new Date(day * daySeconds * 1000).toISOString().slice(0, 10);
}

export function yearOf(day: number): number {
  return new Date(day * daySeconds * 1000).getUTCFullYear();
}

/** Returns the Saturday on or after this day. Most events begin on a Saturday. */
export function saturdayFrom(day: number): number {
  const weekday = (day + 4) % 7;
  return day + ((6 - weekday + 7) % 7);
}

/** Returns the seconds since 1970, on the clock of the venue. */
export function momentOf(day: number, hours: number): number {
  return day * daySeconds + Math.round(hours * 3600);
}
