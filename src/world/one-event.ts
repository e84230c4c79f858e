// Generates one event with chosen options and everything that it refers to: finished, at a point in time, or
// as a live series of records.
import type { FeedRecord } from '../record/feed/records.ts';
import { inventClub, type Community } from './people/community.ts';
import { playEvent } from './event/event.ts';
import { wholeOf } from './telling/whole-of.ts';
import { parseFormat } from './event/format.ts';
import { seriesOf } from './telling/live.ts';
import { stream } from './chance/random.ts';
import { registered } from './scene.ts';
import { eventStream, setUp } from './event/setup.ts';
import type { Moment } from './event/timetable.ts';
import { erasures, now, packRecords, playerRecords } from './world.ts';

export interface OneEventOptions {
  readonly seed: number;
  readonly players: number;
  /** The text for `parseFormat`. */
  readonly format: string;
  readonly rounds: number;
  /** The first day. */
  readonly start: number;
}

export type Status = 'planned' | 'ongoing' | 'finished';

/** Returns the event in that status: everything that it refers to, then one tournament record. */
export function eventFeed(options: OneEventOptions, status: Status): FeedRecord[] {
  const { setup, whole, before, after } = makeEvent(options);
  if (status === 'finished') return [...before, whole, ...after];
  const series = seriesOf(setup, whole);
  const moment = now(status, series, eventStream(setup, 'told').unit());
  return [...before, wholeOf(series.filter(({ at }) => at <= moment).map(({ record }) => record))];
}

/** Returns the same event from the first sign-up to the last result, each record with its time. */
export function eventSeries(options: OneEventOptions): Moment[] {
  const { setup, whole, before, after } = makeEvent(options);
  const series = seriesOf(setup, whole);
  const from = series[0]?.at ?? 0;
  const to = series.at(-1)?.at ?? from;
  return [
    ...before.map((record) => ({ at: from, record })),
    ...series,
    ...after.map((record) => ({ at: to, record })),
  ];
}

function makeEvent({ seed, players, format, rounds, start }: OneEventOptions) {
  const seats = registered(stream(seed, 'one event'), players);
  const community: Community = {
    seed,
    number: 0,
    // Another event with the same seed must have other ids.
    tag: `e${seed.toString(36)}-${players.toString(36)}-${initials(format)}${rounds}`,
    clubs: 8,
    players: Math.max(8, seats),
  };
  const setup = {
    ...setUp(community, { number: 0, size: players, rounds, format: parseFormat(format), start }),
    published: true,
  };
  const whole = playEvent(
    setup,
    Array.from({ length: seats }, (_, i) => i),
  );
  const clubs = Array.from({ length: community.clubs }, (_, i) => inventClub(community, i).record);
  return {
    setup,
    whole,
    before: [...packRecords(), ...clubs, ...playerRecords(community, 0, community.players)],
    after: [...erasures(community, seats)],
  };
}

function initials(format: string): string {
  const parts = ['swiss', 'groups', 'knockout', 'placements', 'placement-swiss'];
  return format
    .split('+')
    .map((part) => 'sgkpo'.charAt(parts.indexOf(part)))
    .join('');
}
