import assert from 'node:assert/strict';
import type { Pool } from '../../src/database/pool.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed, type Status } from '../../src/world/one-event.ts';
import { world } from '../../src/world/world.ts';
import { importText } from '../support/feed.ts';
import { onClient } from './proof.ts';

/**
 * Yields events of every kind, in every state, besides a world. In CI they are small, because a browser takes
 * seconds for a large page.
 */
export function* siteFeed(battles: number, size: 'small' | 'stated'): Generator<FeedRecord> {
  const today = dayNumber('2026-06-30');
  if (battles > 0) yield* world({ seed: 15, battles, from: dayNumber('2024-01-01'), today });
  const events: [players: number, format: string, rounds: number, status: Status][] = [
    [200, 'swiss', 5, 'finished'],
    [48, 'groups+knockout', 3, 'finished'],
    [110, 'swiss+knockout+placements+placement-swiss', 5, 'finished'],
    [24, 'swiss+knockout', 4, 'ongoing'],
    [20, 'groups', 3, 'ongoing'],
    [30, 'swiss+knockout', 5, 'planned'],
  ];
  for (const [index, [stated, format, rounds, status]] of events.entries()) {
    const players = size === 'stated' ? stated : Math.min(stated, 32);
    // The home page shows what is planned from today on.
    const start = status === 'planned' ? dayNumber(new Date().toISOString().slice(0, 10)) + 20 : today;
    yield* eventFeed({ seed: 50 + index, players, format, rounds, start }, status);
  }
  yield { kind: 'club', slug: 'empty-club', name: 'Empty Club', members: 0 };
  yield {
    kind: 'tournament',
    slug: 'empty-event',
    published: true,
    name: 'Empty Event',
    status: 'planned',
    battleSize: 1000,
    stages: [],
    participants: [],
  };
}

/** Records and publishes a feed. Nothing in it may be refused. */
export async function publishFeedOf(url: string, pool: Pool, records: Iterable<FeedRecord>): Promise<void> {
  const lines = Array.from(records, (record) => JSON.stringify(record));
  await onClient(url, async (client) => {
    assert.deepEqual((await importText(client, `${lines.join('\n')}\n`)).refusals, []);
  });
  assert.deepEqual((await publishBacklog(pool)).failed, []);
}

/** Returns the text of a piece of HTML as a person reads it. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
