import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { TournamentView } from '../../src/published/views.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';

// Tests the times at which results arrived. The test sets the clock.
const { pool } = await createTestDatabase();
const client = await pool.connect();
atEnd(async () => client.release());

const at = (minute: number) => () => Date.UTC(2026, 2, 14, 14, minute);
const send = async (minute: number, lines: Parameters<typeof importLines>[1]) => {
  assert.deepEqual((await importLines(client, lines, { now: at(minute) })).refusals, []);
  assert.deepEqual((await publishBacklog(pool)).failed, []);
};

const battle = (id: string, finished = false, points = 9) => ({
  id,
  stage: 'swiss',
  round: 1,
  finished,
  ...(finished && { winner: 'a' }),
  sides: [{ participant: 'a', ...(finished && { victoryPoints: points }) }, { participant: 'b' }],
});
const cup = (more: Partial<TournamentRecord> = {}): TournamentRecord => ({
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup',
  status: 'ongoing',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'a', name: 'Ann' },
    { id: 'b', name: 'Bea' },
  ],
  ...more,
});
const small = (id: string, finished: boolean, points?: number) => ({
  kind: 'battle' as const,
  tournament: 'cup',
  ...battle(id, finished, points),
});

/** Returns what the pages of the tournament show. */
async function arrivals(slug = 'cup'): Promise<string> {
  const { rows } = await pool.query<{ view: string }>(
    'select view from published.tournament where slug = $1',
    [slug],
  );
  const { latest } = JSON.parse(rows[0]?.view ?? '') as TournamentView;
  return latest.map(({ battle: id, arrived }) => `${id} ${arrived.slice(11, 16)}`).join(', ');
}

test('a result that was there with the first import has no time; one that comes has, and keeps it when corrected', async () => {
  await send(0, [cup({ battles: [battle('b1', true), battle('b2'), battle('b3')] })]);
  assert.equal(await arrivals(), '');
  await send(5, [small('b2', true)]);
  assert.equal(await arrivals(), 'b2 14:05');
  await send(9, [small('b2', true, 12), small('b1', true, 12)]);
  assert.equal(await arrivals(), 'b2 14:05');
  // A feed may send the tournament again with all its battles; some of these are new.
  const all = [battle('b1', true, 12), battle('b2', true, 12), battle('b3', true), battle('b4', true)];
  await send(20, [cup({ battles: all })]);
  assert.equal(await arrivals(), 'b3 14:20, b4 14:20, b2 14:05');
});

test('a result that is taken back and comes again has the time at which it came again', async () => {
  await send(30, [small('b4', false)]);
  assert.equal(await arrivals(), 'b3 14:20, b2 14:05');
  await send(31, [small('b4', true)]);
  assert.equal(await arrivals(), 'b4 14:31, b3 14:20, b2 14:05');
});

test('nothing arrives at a tournament that is not running, but its last results do with its end', async () => {
  const old = { slug: 'old', status: 'finished' as const };
  await send(0, [cup({ ...old, battles: [{ ...battle('o1'), id: 'o1' }] })]);
  await send(1, [{ ...small('o1', true), tournament: 'old' }]);
  assert.equal(await arrivals('old'), '');
  await send(40, [small('b5', false)]);
  await send(41, [{ kind: 'tournament', slug: 'cup', status: 'finished', battles: [battle('b5', true)] }]);
  assert.equal(await arrivals(), 'b5 14:41');
});

test('results in small records of the first import have no time', async () => {
  await send(50, [cup({ slug: 'first' }), { ...small('f1', true), tournament: 'first' }]);
  assert.equal(await arrivals('first'), '');
});
