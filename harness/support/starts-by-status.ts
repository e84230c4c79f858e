import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import type { Status } from '../../src/world/one-event.ts';

/** Returns the first days of a feed's published tournaments, by their status at its end. */
export function startsByStatus(feed: string): Record<Status, string[]> {
  const tournaments = new Map<string, TournamentRecord>();
  for (const line of feed.trimEnd().split('\n')) {
    const record = JSON.parse(line) as FeedRecord;
    // An event that is sent step by step has several records.
    if (record.kind === 'tournament')
      tournaments.set(record.slug, { ...tournaments.get(record.slug), ...record });
  }
  const starts: Record<Status, string[]> = { planned: [], ongoing: [], finished: [] };
  for (const { status, startDate, published } of tournaments.values()) {
    if (status && startDate && published !== false) starts[status].push(startDate);
  }
  return starts;
}
