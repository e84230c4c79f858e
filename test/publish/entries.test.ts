import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BracketView, SeatView, TournamentView } from '../../src/published/views.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { publishedRows } from '../../harness/support/published.ts';

// Tests the ids of participants in the views. Two guests have the same name.
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

test('rows, byes and matches have the ids of their people', async () => {
  const { swiss, byes, matches, battles } = await stored();
  assert.deepEqual(swiss, ['e3', 'e5', 'e1', 'e4', 'e2']);
  assert.deepEqual(byes, ['e5', 'e1']);
  assert.deepEqual(matches, ['e3 loss, e2 win', 'e1, unknown', 'e2, e1']);
  assert.deepEqual(battles, ['b1 e2 e3', 'b2 e1 e4']);
});

test('who leads has the id, too', async () => {
  const { now } = await stored();
  assert.deepEqual(
    now?.map(({ finalists }) => finalists.map(({ player, entry }) => `${player} ${entry}`).join()),
    ['Sam Twin e2,Ann e1'],
  );
});

test('an erased guest leaves no id, and the order of the others stays', async () => {
  await publishFeed(pool, [{ kind: 'participant', tournament: 'cup', id: 'e4', erased: true }]);
  const { swiss, battles } = await stored();
  assert.deepEqual(swiss, ['e3', 'e5', 'e1', '', 'e2']);
  assert.deepEqual(battles, ['b1 e2 e3', 'b2 e1 -']);
  const left = (await publishedRows(client)).filter((row) => /\be4\b/.test(row));
  // This is the key in the list of participants, which no answer and no page shows.
  assert.deepEqual(
    left.map((row) => row.split(' ')[0]),
    ['participant'],
  );
});

test('a guest who becomes a registered player keeps the place in the tournament', async () => {
  const before = await revisions();
  await publishFeed(pool, [
    { kind: 'player', id: 'sam', name: 'Sam Twin' },
    { kind: 'participant', tournament: 'cup', id: 'e3', player: 'sam' },
  ]);
  const { swiss, matches, battles } = await stored();
  assert.deepEqual(swiss, ['e3', 'e5', 'e1', '', 'e2']);
  assert.equal(matches[0], 'e3 loss, e2 win');
  assert.deepEqual(battles, ['b1 e2 e3', 'b2 e1 -']);
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
      "select count(*)::int as rows from published.search where split_part(key, '/', 1) = $1 and is_guest group by key order by key",
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

const seat = (each: SeatView) =>
  'player' in each ? [each.entry, each.outcome].filter(Boolean).join(' ') : each.from;

async function stored() {
  const { rows } = await client.query<{ entries: string[]; view: string; tournament: string }>(
    `select entries, standings.view, tournament.view as tournament
      from published.standings join published.tournament on slug = tournament
      where tournament = 'cup' order by stage desc`,
  );
  const [swiss, knockout] = rows;
  const { stages, now } = JSON.parse(swiss?.tournament ?? '') as TournamentView;
  const { matches } = JSON.parse(knockout?.view ?? '') as BracketView;
  const found = await client.query<{ battle: string }>(
    `select concat_ws(' ', id, coalesce(first_entry, '-'), coalesce(second_entry, '-')) as battle
      from published.battle where tournament = 'cup' order by id`,
  );
  return {
    swiss: swiss?.entries,
    byes: stages[0]?.byes.map(({ entry }) => entry),
    matches: matches.map(({ sides: both }) => both.map(seat).join(', ')),
    now,
    battles: found.rows.map(({ battle }) => battle),
  };
}
