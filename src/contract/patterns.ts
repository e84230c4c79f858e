export const slugPattern = '^[a-z0-9-]{1,100}$';

/** The syntax of public player ids and battle ids. */
export const idPattern = '^[A-Za-z0-9_-]{1,64}$';

/** The syntax of a date. isCalendarDate also checks that the day exists. */
export const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';

const writtenDate = new RegExp(datePattern);

/**
 * Returns true if the text is a date that exists. We don't leave this to PostgreSQL, which also accepts
 * `yesterday`, `infinity` and years before Christ.
 */
export function isCalendarDate(text: string): boolean {
  if (!writtenDate.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
