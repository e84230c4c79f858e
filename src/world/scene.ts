// The plan of one community: its events and who attends them. It is made before any record is written, and it
// is the only thing kept in memory: some hundred events and some thousand players, for a world of any size.
import type { Community } from './people/community.ts';
import { saturdayFrom } from './dates.ts';
import { battlesAtMost, cutOf, type Format, parseFormat } from './event/format.ts';
import { at, type Random, stream } from './chance/random.ts';
import type { EventPlan } from './event/setup.ts';

export interface WorldWindow {
  /** The first day. */
  readonly from: number;
  /** The day that counts as today. */
  readonly today: number;
}

export interface PlannedEvent extends EventPlan {
  readonly moment: 'planned' | 'ongoing' | 'finished';
  readonly seats: readonly number[];
}

export interface WorldScene {
  readonly community: Community;
  readonly events: readonly PlannedEvent[];
}

// The rest are casual battles, which also make up for the battles that remain unplayed because of no-shows
// and drops.
const playedAtEvents = 0.94;
const battlesPerClub = 200;

/** Plans a community that plays `battles` battles, including casual ones. */
export function planScene(
  seed: number,
  number: number,
  tag: string,
  battles: number,
  window: WorldWindow,
): WorldScene {
  const random = stream(seed, 'scene', number);
  const drafts = draftEvents(random, battles * playedAtEvents, window);
  const sizes = drafts.map(({ size }) => registered(random, size));
  const seats = sizes.reduce((sum, size) => sum + size, 0);
  const players = Math.max(8, Math.round(seats / 3), 2 * Math.max(0, ...sizes));
  return {
    community: {
      seed,
      number,
      tag,
      clubs: Math.max(3, Math.round(battles / battlesPerClub)),
      players,
    },
    events: drafts.map((draft, index) => ({
      ...draft,
      number: index,
      seats: attendees(random, players, at(sizes, index)),
    })),
  };
}

/** Returns the indexes of the players who come to an event. Those with low indexes come to most events. */
function attendees(random: Random, players: number, count: number): number[] {
  const found = new Set<number>();
  while (found.size < count) {
    const share = random.unit();
    found.add(Math.floor(players * share * share));
  }
  return [...found];
}

type Draft = Omit<PlannedEvent, 'number' | 'seats'>;

function draftEvents(random: Random, battles: number, window: WorldWindow): Draft[] {
  const drafts: Draft[] = [];
  let left = battles;
  for (let tries = 0; left > 60 && tries < 50;) {
    const size = eventSize(random);
    const format = anyFormat(random, size);
    const rounds = roundsFor(random, size, format);
    const moment = momentFor(random, drafts.length);
    const most = moment === 'planned' ? 0 : battlesAtMost(size, rounds, format, cutOf(size));
    if (most > left) {
      tries++;
      continue;
    }
    tries = 0;
    left -= most;
    drafts.push({ size, format, rounds, moment, start: startFor(random, moment, window) });
  }
  return drafts.toSorted((a, b) => a.start - b.start);
}

/** Returns how many of an event's players have an account. About 6 % of the players are guests. */
export function registered(random: Random, size: number): number {
  let count = 0;
  for (let i = 0; i < size; i++) if (!random.chance(0.06)) count++;
  return count;
}

/** Half the events have up to 14 players, and one in twenty has more than 100. */
function eventSize(random: Random): number {
  return Math.round(9 / (0.03 + random.unit()) - 3);
}

const formats = {
  swiss: 60,
  groups: 8,
  'groups+knockout': 4,
  'swiss+knockout': 14,
  'swiss+knockout+placements': 7,
  'swiss+knockout+placement-swiss': 4,
  'swiss+knockout+placements+placement-swiss': 2,
  'swiss+placement-swiss': 1,
};
const parsed = Object.keys(formats).map(parseFormat);
const formatWeights = Object.values(formats);

// A small event is one Swiss stage. Groups and brackets need more players.
function anyFormat(random: Random, size: number): Format {
  const format = at(parsed, random.weighted(formatWeights));
  const needed = format.placements || format.placementSwiss ? 16 : format.knockout || format.grouped ? 10 : 0;
  return size >= needed ? format : at(parsed, 0);
}

function roundsFor(random: Random, size: number, format: Format): number {
  if (format.grouped) return 3;
  if (size > 150) return random.between(6, 8);
  return size >= 12 && random.chance(0.45) ? 5 : 3;
}

// In each community, event 1 is ongoing and event 2 is planned, so that even a small world has both.
function momentFor(random: Random, index: number): PlannedEvent['moment'] {
  const drawn = random.unit();
  if (index === 1 || drawn < 0.012) return 'ongoing';
  return index === 2 || drawn < 0.047 ? 'planned' : 'finished';
}

function startFor(random: Random, moment: PlannedEvent['moment'], { from, today }: WorldWindow): number {
  if (moment === 'ongoing') return today - random.below(2);
  if (moment === 'planned') return saturdayFrom(today + 3 + random.below(90));
  const day = from + random.below(Math.max(1, today - from - 3));
  return Math.max(from, Math.min(saturdayFrom(day), today - 3));
}
