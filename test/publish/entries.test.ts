import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Play, StageDetails } from '../../src/publish/derive/now/play-shape.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { publishedRows } from '../support/published.ts';

// The ids of guests beside the documents. Two guests have one name.
const database = await createTestDatabase();
const { pool } = database;

const sides = (first: string, second: string) => [{ participant: first }, { participant: second }];
const cup: TournamentRecord = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'The Cup',
  status: 'ongoing',
  battleSize: 1000,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 2 },
    {
      id: 'knockout',
      label: 'Top',
      type: 'bracket',
      rounds: 2,
      members: ['e1', 'e2', 'e3'].map((participant) => ({ participant })),
    },
  ],
  participants: [
    { id: 'e1', player: 'ann', lot: 1 },
    { id: 'e2', name: 'Sam Twin', lot: 2 },
    { id: 'e3', name: 'Sam Twin', lot: 3 },
    { id: 'e4', name: 'Wanda Wanted', lot: 4 },
    { id: 'e5', name: 'Fay', lot: 5 },
  ],
  byes: [
    { stage: 'swiss', round: 2, participant: 'e1', win: true },
    { stage: 'swiss', round: 1, participant: 'e5', win: true, battlePoints: 1 },
  ],
  battles: [
    {
      id: 'b1',
      stage: 'swiss',
      round: 1,
      finished: true,
      winner: 'e3',
      sides: [
        { participant: 'e2', battlePoints: 0, victoryPoints: 2 },
        { participant: 'e3', battlePoints: 3, victoryPoints: 9 },
      ],
    },
    { id: 'b2', stage: 'swiss', round: 1, sides: sides('e1', 'e4') },
  ],
  matches: [
    { stage: 'knockout', round: 1, position: 1, table: 0, players: ['e3', 'e2'], winner: 'e2' },
    { stage: 'knockout', round: 1, position: 2, table: 0, players: ['e1'] },
    { stage: 'knockout', round: 2, position: 1, table: 0, players: ['e2', 'e1'] },
  ],
};

await publishFeed(pool, [{ kind: 'player', id: 'ann', name: 'Ann' }, cup]);
const client = await pool.connect();
atEnd(async () => client.release());

test('rows, byes and matches have the ids of their guests, and a registered player has none', async () => {
  const { standings, battles } = await stored();
  assert.deepEqual(standings, {
    swiss: { rows: ['e3', 'e5', null, 'e4', 'e2'], byes: ['e5', null], matches: [] },
    knockout: {
      rows: [],
      byes: [],
      matches: [
        { players: ['e3', 'e2'], winner: 'e2' },
        { players: [], winner: null },
        { players: ['e2', null], winner: null },
      ],
    },
  });
  assert.deepEqual(battles, ['b1 e2 e3', 'b2 - e4']);
});

test('who leads has the id, too', async () => {
  const { rows } = await client.query<{ play: string }>(
    "select play from published.standings where tournament = 'cup' order by stage desc",
  );
  const leaders = rows.map(({ play }) => (JSON.parse(play) as Play).leaders);
  assert.deepEqual(
    leaders.map((all) => all?.map(({ player, entry }) => `${player} ${entry}`)),
    [['Sam Twin e3'], ['Sam Twin e2', 'Ann undefined']],
  );
});

test('an event without guests stores nothing', async () => {
  const participants = cup.participants?.slice(0, 1) ?? [];
  const { byes: _byes, battles: _battles, matches: _matches, ...rest } = cup;
  const stages = cup.stages?.slice(0, 1) ?? [];
  await publishFeed(pool, [{ ...rest, slug: 'alone', stages, participants }]);
  const { rows } = await client.query<{ details: string }>(
    "select details from published.standings where tournament = 'alone'",
  );
  assert.deepEqual(
    rows.map(({ details }) => 'entries' in JSON.parse(details)),
    [false],
  );
});

test('an erased guest leaves no id, and the order of the others stays', async () => {
  await publishFeed(pool, [{ kind: 'participant', tournament: 'cup', id: 'e4', erased: true }]);
  const { standings, battles } = await stored();
  assert.deepEqual(standings['swiss']?.rows, ['e3', 'e5', null, null, 'e2']);
  assert.deepEqual(battles, ['b1 e2 e3', 'b2 - -']);
  const left = (await publishedRows(client)).filter((row) => /\be4\b/.test(row));
  // The key of the list of participants, which no answer and no page shows.
  assert.deepEqual(
    left.map((row) => row.split(' ')[0]),
    ['participant'],
  );
});

test('a guest who becomes a registered player has the id of the player only', async () => {
  const before = await revisions();
  await publishFeed(pool, [
    { kind: 'player', id: 'sam', name: 'Sam Twin' },
    { kind: 'participant', tournament: 'cup', id: 'e3', player: 'sam' },
  ]);
  const { standings, battles } = await stored();
  assert.deepEqual(standings['swiss']?.rows, [null, 'e5', null, null, 'e2']);
  assert.deepEqual(standings['knockout']?.matches[0], { players: [null, 'e2'], winner: 'e2' });
  assert.deepEqual(battles, ['b1 e2 -', 'b2 - -']);
  const after = await revisions();
  assert.ok(BigInt(after) > BigInt(before));
});

test('the longest names fit into the index of the search, and one row is there for each word', async () => {
  const slug = 's'.repeat(100);
  const names = ['𠮷'.repeat(200), `${'𝔘𝔫'.repeat(30)} ${'ﬃ'.repeat(139)}`, 'One Two Three'];
  const participants = names.map((name, index) => ({ id: `${index}`.padEnd(64, 'e'), name }));
  const { byes: _byes, battles: _battles, matches: _matches, ...rest } = cup;
  const stages = cup.stages?.slice(0, 1) ?? [];
  await publishFeed(pool, [{ ...rest, slug, stages, participants }]);
  const found = async () => {
    const { rows } = await client.query<{ rows: number }>(
      'select count(*)::int as rows from published.guest_search where tournament = $1 group by entry order by entry',
      [slug],
    );
    return rows.map((row) => row.rows);
  };
  assert.deepEqual(await found(), [1, 2, 3]);
  await publishFeed(pool, [{ kind: 'tournament', slug, published: false }]);
  assert.deepEqual(await found(), []);
});

async function revisions(): Promise<string> {
  const { rows } = await client.query<{ revision: string }>(
    "select revision from published.battle where id = 'b1'",
  );
  return rows[0]?.revision ?? '0';
}

async function stored() {
  const { rows } = await client.query<{ stage: string; details: string }>(
    "select stage, details from published.standings where tournament = 'cup'",
  );
  const standings = Object.fromEntries(
    rows.map(({ stage, details }) => [stage, (JSON.parse(details) as StageDetails).entries]),
  );
  const found = await client.query<{ battle: string }>(
    `select concat_ws(' ', id, coalesce(first_entry, '-'), coalesce(second_entry, '-')) as battle
      from published.battle where tournament = 'cup' order by id`,
  );
  return { standings, battles: found.rows.map(({ battle }) => battle) };
}
