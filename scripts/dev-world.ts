import { dayOf } from '../src/world/dates.ts';
import { world } from '../src/world/world.ts';
import { exampleFeed } from '../test/support/feed.ts';

/** What `npm run dev` serves and the guides of docs/api ask for: a club, the example of docs/feed.md, an invented season. */
export function devFeed(): string {
  const club = { kind: 'club', slug: 'north-gate', name: 'Würfelbund Nordtor', city: 'Lübeck', members: 41 };
  const season = world({ seed: 1, battles: 400, from: dayOf('2026-01-01'), today: dayOf('2026-10-31') });
  return exampleFeed() + [club, ...season].map((record) => `${JSON.stringify(record)}\n`).join('');
}
