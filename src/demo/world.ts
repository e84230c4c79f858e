import { readFileSync } from 'node:fs';
import type { FeedRecord } from '../record/feed/records.ts';
import { communityTag, world } from '../world/world.ts';
import type { WorldOptions } from '../world/world.ts';

/**
 * Returns the options of a world with four years of one community, small enough to be recorded in seconds.
 */
export function demoWorld(today: number): WorldOptions {
  return { seed, battles: 2_000, from: today - 4 * 365, today };
}

const seed = 21;
/** A part of every id in the demo's world and in the events after it. */
export const demoTag = communityTag(seed, 0);

/**
 * Returns what the demo records first: a club, the example from docs/feed.md, which the guides use, and the
 * world.
 */
export function demoFeed(today: number): FeedRecord[] {
  return [...smallRecords(), ...world(demoWorld(today))];
}

/** Returns all records that do not belong to the world. */
export function smallRecords(): FeedRecord[] {
  const club: FeedRecord = {
    kind: 'club',
    slug: 'north-gate',
    name: 'Würfelbund Nordtor',
    city: 'Lübeck',
    members: 41,
  };
  const lines = exampleFeed().trimEnd().split('\n');
  return [club, ...lines.map((line) => JSON.parse(line) as FeedRecord)];
}

/** Returns the lines of the example in docs/feed.md. */
export function exampleFeed(): string {
  const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  return /```ndjson\n([^]*?)```/.exec(page)?.[1] ?? '';
}

/** Returns the day on this machine's clock, as a number of days since 1970. */
export function dayOnTheClock(): number {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
}
