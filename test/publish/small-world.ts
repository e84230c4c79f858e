// A small world in the test file's own database, imported and published.
import assert from 'node:assert/strict';
import pg from 'pg';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';

export const database = await createTestDatabase();
export const client = new pg.Client({ connectionString: database.url });
await client.connect();
atEnd(() => client.end());
export const publish = () => publishBacklog(database.pool);

const records = [
  ...world({ seed: 11, battles: 1_200, from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') }),
];
assert.deepEqual((await importLines(client, records)).refusals, []);
await publish();

/** A tournament with plenty of content, as sent in the feed. */
export const cup = largeTournament();

function largeTournament() {
  const found = records
    .filter(
      (record): record is TournamentRecord => record.kind === 'tournament' && record.published !== false,
    )
    .filter(({ status, organizer }) => status === 'finished' && organizer)
    // Some tests change the list of a player, and others the faction of one without a list.
    .filter(({ participants = [] }) => participants.some(({ player, list }) => player && !list))
    .toSorted((a, b) => (b.battles?.length ?? 0) - (a.battles?.length ?? 0))[1];
  assert.ok(found?.participants && found.battles && found.battles.length > 10);
  const { participants, battles } = found;
  return { ...found, participants, battles };
}
