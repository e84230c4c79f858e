// The events that the first community of a world plays after its own, with the same clubs and players, each
// from the first sign-up to the last result. There is no last one, so a demonstration can play one after the
// other.
import { stream } from './chance/random.ts';
import { playEvent } from './event/event.ts';
import { parseFormat } from './event/format.ts';
import { setUp } from './event/setup.ts';
import type { Moment } from './event/timetable.ts';
import { inventPlayer } from './people/community.ts';
import { planScene, registered } from './scene.ts';
import { seriesOf } from './telling/live.ts';
import { communities, communityTag, type WorldOptions } from './world.ts';

const size = 24;
const rounds = 3;
const cut = 8;

/**
 * Returns the `turn`-th event (0, 1, 2 …) after those of the world. It begins on the day that counts as
 * today.
 */
export function nextEvent(options: WorldOptions, turn: number): { slug: string; series: Moment[] } {
  const { seed, battles, today } = options;
  const quota = Math.floor(battles / communities(battles));
  const { community, events } = planScene(seed, 0, communityTag(seed, 0), quota, options);
  const plan = {
    number: events.length + turn,
    size,
    rounds,
    format: parseFormat('swiss+knockout'),
    start: today,
  };
  const usual = setUp(community, plan);
  const setup = {
    ...usual,
    published: true,
    // A bracket of three rounds, on the second day.
    cut,
    days: 2,
    sessionsPerDay: 3,
    habits: { ...usual.habits, dates: true, tables: true, placements: 'recorded' as const },
  };
  const random = stream(seed, 'next event', turn);
  // The first players are those who attend most, so their pages show years of results.
  const regulars = Array.from({ length: Math.min(community.players, 4 * size) }, (_, index) => index).filter(
    (index) => !inventPlayer(community, index).erased,
  );
  const seats = random.shuffle(regulars).slice(0, registered(random, size));
  return { slug: setup.slug, series: seriesOf(setup, playEvent(setup, seats)) };
}
