// A refused line gets all its problems in one run, and the report can tell which problems follow from another
// refusal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines, importText } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

const list = { subFaction: '', points: 1, battleTacticCards: [], text: '' };
const sides = [{ participant: 'p1' }, { participant: 'p2' }];
const cup = {
  kind: 'tournament',
  slug: 'cup',
  name: 'Cup',
  published: true,
  status: 'ongoing',
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'p1', player: 'ann' },
    { id: 'p2', name: 'Guest' },
  ],
  battles: [
    {
      id: 'b1',
      stage: 'swiss',
      round: 1,
      sides: sides.map((side) => ({ ...side, faction: 'Marrow Choir' })),
    },
    { id: 'b2', stage: 'swiss', round: 2, sides },
  ],
};
const ground = [{ kind: 'player', id: 'ann', name: 'Ann' }, cup];

async function problemsOf(record: object): Promise<string[]> {
  await emptyFacts(client);
  assert.deepEqual((await importLines(client, ground)).refusals, []);
  return (await importLines(client, [{ ...record }])).refusals.map((refusal) =>
    refusal.replace('feed:1: ', ''),
  );
}

test('a new tournament hears of everything that it lacks and of every wrong reference', async () => {
  assert.deepEqual(
    await problemsOf({
      kind: 'tournament',
      slug: 'new',
      organizer: 'nowhere',
      participants: [{ id: 'a', player: 'zed' }],
      byes: [{ stage: 'swiss', round: 1, participant: 'b', win: true }],
    }),
    [
      'name: expected a name for a new tournament, found nothing',
      'status: expected a status for a new tournament, found nothing',
      'battleSize: expected a battle size for a new tournament, found nothing',
      'published: expected true or false (a new tournament must say which: nothing becomes public by omission), found nothing',
      'organizer: expected a recorded club, found "nowhere"',
      'participants[0].player: expected a recorded player, found "zed"',
      'byes[0].stage: expected a stage of the tournament, which has none, found "swiss"',
      'byes[0].participant: expected a participant of the tournament, found "b"',
    ],
  );
});

test('a participant in a second place hears of its other problems, too', async () => {
  assert.deepEqual(
    await problemsOf({ kind: 'participant', tournament: 'cup', id: 'p9', player: 'ann', club: 'nowhere' }),
    [
      'club: expected a recorded club, found "nowhere"',
      'player: expected a player who is not in the tournament yet, found "ann", who is participant "p1"',
    ],
  );
});

test('a side of an unknown participant hears of its metrics, too', async () => {
  assert.deepEqual(
    await problemsOf({
      kind: 'battle',
      tournament: 'cup',
      id: 'b3',
      stage: 'swiss',
      round: 1,
      sides: [{ participant: 'p7', metrics: { Slain: 1 } }, { participant: 'p1' }],
    }),
    [
      'sides[0].participant: expected a participant of the tournament, found "p7"',
      'sides[0].metrics: expected the names of metrics of the tournament, found "Slain"',
    ],
  );
});

test('every list that contradicts a stored battle is named', async () => {
  const participants = cup.participants.map((each) => ({
    ...each,
    list: { ...list, faction: 'Quarry Giants' },
  }));
  assert.deepEqual(
    await problemsOf({ kind: 'tournament', slug: 'cup', participants }),
    [0, 1].map(
      (index) =>
        `participants[${index}].list.faction: expected the faction played in battle "b1" ("Marrow Choir"), found "Quarry Giants"`,
    ),
  );
});

test('every battle id that is used elsewhere is named with what has it', async () => {
  const battles = ['b2', 'b9', 'b1'].map((id, index) => ({ id, stage: 'swiss', round: index + 1, sides }));
  // The participants are other people, because the same two could move their battle.
  const participants = [cup.participants[0], { id: 'p2', name: 'Another' }];
  assert.deepEqual(await problemsOf({ ...cup, slug: 'second', participants, battles }), [
    'battles[0].id: expected an id that no other battle has, found "b2", which tournament "cup" has',
    'battles[2].id: expected an id that no other battle has, found "b1", which tournament "cup" has',
  ]);
});

test('every refused line is reported; those that only follow from a refused tournament say so', async () => {
  await emptyFacts(client);
  const told: string[] = [];
  const guest = (id: string) => ({ kind: 'participant', tournament: 'late', id, name: 'G' });
  const late = { kind: 'tournament', slug: 'late', name: 'L', published: true, status: 'planned' };
  await importLines(
    client,
    [
      guest('a'),
      late,
      { ...late, battleSize: 'x' },
      guest('b'),
      { ...late, battleSize: 1 },
      guest('c'),
      guest('c:'),
    ],
    {
      onRefusal: (file, line, problems, about) =>
        told.push(`${file}:${line} ${problems.length} ${JSON.stringify(about)}`),
      onTournament: (slug) => told.push(slug),
    },
  );
  assert.deepEqual(told, [
    'feed:1 1 {"follows":"late"}',
    'feed:2 1 {"tournament":"late"}',
    'feed:3 1 {"tournament":"late"}',
    'feed:4 1 {"follows":"late"}',
    'late',
    'feed:7 1 {}',
  ]);
});

test('CR LF, a byte order mark and an empty file are accepted', async () => {
  await emptyFacts(client);
  const lines = ground.map((record) => JSON.stringify(record));
  const imported = await importText(client, `\ufeff${lines.join('\r\n')}\r\n\r\n`);
  assert.deepEqual([imported.refusals, imported.records], [[], 2]);
  assert.deepEqual((await importText(client, '')).records, 0);
  assert.deepEqual((await importText(client, `${lines[0]}\n\ufeff${lines[0]}\n`)).refusals, [
    'feed:2: expected a record, found a byte order mark',
  ]);
});
