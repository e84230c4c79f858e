import { isCalendarDate } from '../contract/patterns.ts';
import type { CursorPosition } from './cursor.ts';
import type { DateWindow } from './date-window.ts';

/** The order of a list: where a row is in it, and the bounds of a page. */
export interface Order<Key> {
  positionOf: (key: Key) => CursorPosition;
  /**
   * Checks that the position belongs to this order. The signature of a cursor only proves that we wrote it.
   */
  isPosition: (position: CursorPosition) => boolean;
  /**
   * Returns the parameters for the bounds in the statement. The page begins after `after` or, without it, at
   * the end of the window. A cursor is bound to its filters, so it is never later than that end.
   */
  bounds: (after: CursorPosition | undefined, window: DateWindow) => unknown[];
}

/** Orders tournaments by start date, then slug, both descending. */
export const byStartDate: Order<{ date: string; id: string }> = {
  positionOf: ({ date, id }) => [date, id],
  isPosition: (position) => position.length === 2 && isDay(position[0]) && isText(position[1]),
  bounds: (after, window) => {
    const upper = after ?? [window.to ?? 'infinity', afterEveryId];
    return [...upper, lower(window)];
  },
};

/** Orders battles by date, stage order, round and id, all descending, so the newest come first. */
export const byDatePlayed: Order<{ date: string; stageOrder: number; round: number; id: string }> = {
  positionOf: ({ date, stageOrder, round, id }) => [date, stageOrder, round, id],
  isPosition: (position) =>
    position.length === 4 &&
    isDay(position[0]) &&
    isSmall(position[1]) &&
    isSmall(position[2]) &&
    isText(position[3]),
  bounds: (after, window) => {
    const upper = after ?? [window.to ?? 'infinity', largestSmall, largestSmall, afterEveryId];
    return [...upper, lower(window)];
  },
};

/** Orders participants by the sort key that was stored at publishing, then by id. */
export const byName: Order<{ sortKey: string; id: string }> = {
  positionOf: ({ sortKey, id }) => [sortKey, id],
  isPosition: (position) => position.length === 2 && position.every(isText),
  bounds: (after) => [...(after ?? ['', ''])],
};

const largestSmall = 32_767;
/** A text that sorts after every slug and id, which contain only letters, digits, dashes and underscores. */
const afterEveryId = '~';

/**
 * Returns the lower bound of a window. Rows without a date have -infinity, and a window with any bound leaves
 * them out.
 */
function lower({ from, to }: DateWindow): string {
  if (from !== undefined) return from;
  return to === undefined ? '-infinity' : '0001-01-01';
}

function isDay(value: unknown): boolean {
  return value === '-infinity' || (isText(value) && isCalendarDate(String(value)));
}

function isSmall(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(Number(value)) <= largestSmall;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0');
}
