export const slugPattern = '^[a-z0-9-]{1,100}$';

/** Public player ids and battle ids. */
export const idPattern = '^[A-Za-z0-9_-]{1,64}$';

/** How a date is written; whether the calendar has such a day is asked separately. */
export const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
