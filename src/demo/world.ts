import { readFileSync } from 'node:fs';
import type { FeedRecord } from '../record/feed/records.ts';
import { communityTag, world } from '../world/world.ts';
import type { WorldOptions } from '../world/world.ts';

/** Four years of one community. Small enough to be recorded in seconds. */
export function demoWorld(today: number): WorldOptions {
  return { seed, battles: 2_000, from: today - 4 * 365, today };
}

const seed = 21;
/** Part of every id that the world makes, and the events after it. */
export const demoTag = communityTag(seed, 0);

/** What the demo records first: a club, the example of docs/feed.md, which the guides ask for, and the world. */
export function demoFeed(today: number): FeedRecord[] {
  return [...smallRecords(), ...world(demoWorld(today))];
}

/** All that is not of the world. */
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

/** The example of docs/feed.md, line by line. */
export function exampleFeed(): string {
  const page = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
  return /```ndjson\n([^]*?)```/.exec(page)?.[1] ?? '';
}

/** The day on the clock of this machine. */
export function dayOnTheClock(): number {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
}
