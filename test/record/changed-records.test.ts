import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed, importLines } from '../../harness/support/feed.ts';

// An import reports how many records changed something. Importing the same feed again changes nothing.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
const lines = exampleFeed().trimEnd().split('\n');

test('each record of a new feed changes something, and of the same feed none', async () => {
  const first = await importLines(client, lines);
  // The last line removes a battle that does not exist.
  assert.deepEqual([first.records, first.changed], [lines.length, lines.length - 1]);
  // The name of an erased player does not come back, so neither do the records that follow from it.
  const again = await importLines(client, lines);
  assert.deepEqual([again.records, again.changed, again.refused], [lines.length, 0, 0]);
});

const changes: FeedRecord[] = [
  { kind: 'club', slug: 'tidewatch', city: 'Quimper' },
  { kind: 'player', id: 'chidi', name: 'Chidi O. Eze' },
  { kind: 'battlePack', name: "Warden's Almanac 2025", objectives: false },
  { kind: 'tournament', slug: 'tidewatch-open-2025', city: 'Quimper' },
  { kind: 'tournament', slug: 'tidewatch-open-2025', byes: [] },
  { kind: 'participant', tournament: 'tidewatch-open-2025', id: 'p1', player: 'ana-q' },
  { kind: 'bye', tournament: 'tidewatch-open-2025', stage: 'swiss', round: 1, participant: 'p3', win: false },
  {
    kind: 'match',
    tournament: 'tidewatch-open-2025',
    stage: 'knockout',
    round: 1,
    position: 1,
    table: 9,
    players: ['p1', 'p2'],
  },
  {
    kind: 'ranking',
    tournament: 'tidewatch-open-2025',
    stage: 'swiss',
    afterRound: 1,
    ranks: [{ participant: 'p3', rank: 1 }],
  },
  {
    kind: 'battle',
    tournament: 'tidewatch-open-2025',
    id: 'tw25-2',
    stage: 'swiss',
    round: 2,
    sides: [{ participant: 'p2' }, { participant: 'p3' }],
  },
  { kind: 'battle', id: 'casual-7', battleSize: 1000, sides: [{ player: 'chidi' }, { name: 'Pascal' }] },
  {
    kind: 'remove',
    of: 'bye',
    tournament: 'tidewatch-open-2025',
    stage: 'swiss',
    round: 1,
    participant: 'p3',
  },
  { kind: 'remove', of: 'ranking', tournament: 'tidewatch-open-2025', stage: 'swiss', afterRound: 1 },
  { kind: 'remove', of: 'battle', id: 'casual-7' },
  { kind: 'remove', of: 'player', id: 'chidi' },
  { kind: 'remove', of: 'tournament', id: 'lantern-league' },
  { kind: 'remove', of: 'club', id: 'lantern-hall-2' },
];

for (const record of changes) {
  test(`once: ${JSON.stringify(record).slice(0, 100)}`, async () => {
    const unknown = record.kind === 'remove' && record.of === 'club';
    // The other record changes nothing; each counts by itself.
    const beside = lines.slice(1, 2);
    const first = await importLines(client, [...beside, record]);
    assert.deepEqual(first.refusals, []);
    assert.deepEqual([first.records, first.changed], [2, unknown ? 0 : 1]);
    const again = await importLines(client, [record, record]);
    assert.deepEqual([again.records, again.changed], [2, 0]);
  });
}
