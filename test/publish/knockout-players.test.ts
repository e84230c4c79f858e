import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tournament } from '../../src/contract/tournament.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { parseDocument } from '../../harness/support/parse-document.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';

const database = await createTestDatabase();

const knockout = { id: 'knockout', label: 'Top Four', type: 'bracket', rounds: 2 } as const;
const cup: TournamentRecord = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup',
  status: 'ongoing',
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }, knockout],
  participants: Array.from({ length: 16 }, (_, i) => ({ id: `p${i}`, name: `Guest ${i}` })),
};
const match = (round: number, position: number, players: string[]): FeedRecord => ({
  kind: 'match',
  tournament: 'cup',
  stage: 'knockout',
  round,
  position,
  table: position,
  players,
});

test('a knockout without members says how many play in it as soon as its first round is known', async () => {
  assert.equal(await playersAfter(cup), undefined);
  assert.equal(await playersAfter(match(1, 1, ['p0', 'p3']), match(1, 2, []), match(2, 1, [])), undefined);
  // Only the match changes here, so only a part of the tournament is published.
  assert.equal(await playersAfter(match(1, 2, ['p1', 'p2'])), 4);
  assert.equal(await playersAfter(match(2, 1, ['p0', 'p1'])), 4);
  const members = ['p0', 'p1', 'p2', 'p3', 'p4'].map((participant) => ({ participant }));
  assert.equal(
    await playersAfter({ kind: 'tournament', slug: 'cup', stages: [{ ...knockout, members }] }),
    5,
  );
});

async function playersAfter(...records: FeedRecord[]): Promise<number | undefined> {
  await publishFeed(database.pool, records);
  const { rows } = await database.pool.query<{ document: string }>(
    'select document from published.tournament',
  );
  const { stages } = parseDocument(rows[0]?.document ?? '') as Tournament;
  return stages.find(({ id }) => id === 'knockout')?.players;
}
