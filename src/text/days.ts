/** Returns the UTC day of a time, as text. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function daysBefore(day: string, days: number): string {
  return dayOf(Date.parse(day) - days * dayMs);
}

/** Returns the time at which the UTC day of a time ends. */
export function endOfDay(time: number): number {
  return time - (time % dayMs) + dayMs;
}

export const dayMs = 86_400_000;
