import { isCalendarDate } from '../../contract/patterns.ts';
import type { Position } from './cursor.ts';
import type { DateWindow } from './date-window.ts';

/** How a list runs: what says where a row stands in it, and between which bounds a page lies. */
export interface Order<Key> {
  positionOf: (key: Key) => Position;
  /** A cursor's signature says that the position is ours; this says that it is one of this order. */
  isPosition: (position: Position) => boolean;
  /**
   * The parameters of the statement's bounds: the page begins after `after`, else at the window's end. A cursor is bound
   * to its filters, so it never lies behind that end.
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

/** Participants: alphabetical by the key made when they were published, then by id. */
export const byName: Order<{ sortKey: string; id: string }> = {
  positionOf: ({ sortKey, id }) => [sortKey, id],
  isPosition: (position) => position.length === 2 && position.every(isText),
  bounds: (after) => [...(after ?? ['', ''])],
};

const largestSmall = 32_767;
/** Slugs and ids are letters, digits, dashes and underscores: bytewise, all before this. */
const afterEveryId = '~';

/** Undated rows are at -infinity: left out as soon as days are asked for. */
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
