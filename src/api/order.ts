import { isCalendarDate } from '../contract/patterns.ts';
import type { Position } from './cursor.ts';
import type { DateWindow } from './date-window.ts';

/** The order of a list: the position of a row in it, and the bounds of a page. */
export interface Order<Key> {
  positionOf: (key: Key) => Position;
  /** The signature of a cursor proves that the position is ours. This checks that it belongs to this order. */
  isPosition: (position: Position) => boolean;
  /**
   * The parameters for the bounds of the statement. The page begins after `after`, or without it at the end of the
   * window. A cursor is bound to its filters, so it is never later than that end.
   */
  bounds: (after: Position | undefined, window: DateWindow) => unknown[];
}

/** Tournaments: by start date, then slug, both descending. */
export const byStartDate: Order<{ date: string; id: string }> = {
  positionOf: ({ date, id }) => [date, id],
  isPosition: (position) => position.length === 2 && isDay(position[0]) && isText(position[1]),
  bounds: (after, window) => {
    const upper = after ?? [window.to ?? 'infinity', afterEveryId];
    return [...upper, lower(window)];
  },
};

/** Battles, newest first: by date, stage order, round and id, all descending. */
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

/** Participants: by the sort key that was stored at publishing, then by id. */
export const byName: Order<{ sortKey: string; id: string }> = {
  positionOf: ({ sortKey, id }) => [sortKey, id],
  isPosition: (position) => position.length === 2 && position.every(isText),
  bounds: (after) => [...(after ?? ['', ''])],
};

const largestSmall = 32_767;
/** Sorts after every slug and id, which have only letters, digits, dashes and underscores. */
const afterEveryId = '~';

/** Rows without a date have -infinity. A window with any day leaves them out. */
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
