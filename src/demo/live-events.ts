import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedRecord } from '../record/feed/records.ts';
import type { Moment } from '../world/event/timetable.ts';
import { nextEvent } from '../world/next-event.ts';
import { dayOnTheClock, demoWorld } from './world.ts';

/**
 * An event from the first sign-up on. `opening` ends when round 1 is paired, and `rest` begins with its first
 * result.
 */
export interface DemoEvent {
  slug: string;
  opening: FeedRecord[];
  rest: FeedRecord[];
}

export function demoEvent(turn: number): DemoEvent {
  const { slug, series } = nextEvent(demoWorld(dayOnTheClock()), turn);
  const first = series.findIndex(({ record }) => isResult(record));
  const records = (moments: Moment[]) => moments.map(({ record }) => record);
  return { slug, opening: records(series.slice(0, first)), rest: records(series.slice(first)) };
}

export interface LiveEventsOptions {
  /** The time between two results. */
  resultMs: number;
  /** The time between the end of an event and the next one. */
  betweenMs: number;
  signal: AbortSignal;
  onBegun: (event: DemoEvent) => void;
}

/**
 * Yields the rest of the event, then one event after the other, as feed records at the pace of the results.
 */
export async function* liveEvents(event: DemoEvent, options: LiveEventsOptions): AsyncGenerator<FeedRecord> {
  const { resultMs, betweenMs, signal } = options;
  for (let turn = 1; ; turn += 1) {
    for (const record of event.rest) {
      if (isResult(record) && !(await pause(resultMs, signal))) return;
      yield record;
    }
    if (!(await pause(betweenMs, signal))) return;
    event = demoEvent(turn);
    yield* event.opening;
    options.onBegun(event);
  }
}

function isResult(record: FeedRecord): boolean {
  return record.kind === 'battle' && record.finished === true;
}

/** Returns false when the demo ends. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
