import { dayOf, saturdayFrom } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { world } from '../src/world/world.ts';
import { exampleFeed } from '../test/support/feed.ts';

/**
 * What `npm run dev` serves and the guides of docs/api ask for: a club, the example of docs/feed.md, an invented season,
 * and two events beside it. The season may have no published event that is under way or planned: these two always are.
 */
export function devFeed(today: number): string {
  const club = { kind: 'club', slug: 'north-gate', name: 'Würfelbund Nordtor', city: 'Lübeck', members: 41 };
  // The samples of the guides look at the days before.
  const from = Math.max(dayOf('2026-01-01'), today - 300);
  const season = world({ seed: 1, battles: 400, from, today });
  const weekend = { players: 24, format: 'swiss+knockout', rounds: 5 };
  const ongoing = eventFeed({ ...weekend, seed: 1, start: today }, 'ongoing');
  const planned = eventFeed({ ...weekend, seed: 2, start: saturdayFrom(today + 14) }, 'planned');
  const records = [club, ...season, ...ongoing, ...planned];
  return exampleFeed() + records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
