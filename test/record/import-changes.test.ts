import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTournaments } from '../../src/record/facts/read-facts.ts';
import { spreadBattlePackMarks, spreadPlayerMarks } from '../../src/record/backlog/marks.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { battle, cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importLines, rowVersions, takeMarks } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('absent means unchanged, null means none, an empty array means none', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, { ...cup, description: 'Words', city: 'Brest' }]);
  await importLines(client, [{ kind: 'tournament', slug: 'cup', city: null, byes: [], status: 'finished' }]);
  const [facts] = await readTournaments(client, ['cup']);
  assert.deepEqual(
    [facts?.description, facts?.city, facts?.byes, facts?.status],
    ['Words', null, [], 'finished'],
  );
  assert.deepEqual([facts?.battles.length, facts?.adjustments.length, facts?.matches.length], [2, 1, 1]);
});

test('a record that carries only its key changes nothing', async () => {
  await emptyFacts(client);
  const window = { from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') };
  const records = [...world({ seed: 3, battles: 300, ...window })];
  assert.deepEqual((await importLines(client, records)).refusals, []);
  await takeMarks(client);
  const versions = await rowVersions(client);
  const { rows: keys } = await client.query<Record<string, unknown>>(
    `select 'club' as kind, slug, null as name from record.club
      union all select 'tournament', slug, null from record.tournament
      union all select 'battlePack', null, name from record.battle_pack`,
  );
  assert.ok(keys.length > 10);
  const given = keys.map(({ kind, slug, name }) => ({ kind, ...(slug ? { slug } : { name }) }));
  assert.deepEqual((await importLines(client, given)).refusals, []);
  assert.deepEqual(await rowVersions(client), versions);
  assert.deepEqual(await takeMarks(client), []);
});

test('whatever goes or changes is marked, and only that', async () => {
  await emptyFacts(client);
  await importLines(client, [
    ...ground,
    cup,
    { kind: 'battle', id: 'c', battleSize: 1, sides: [{ player: 'bob' }, { name: 'G' }] },
  ]);
  await takeMarks(client);
  const marksOf = async (...records: object[]): Promise<string[]> => {
    const imported = await importLines(
      client,
      records.map((record) => ({ ...record })),
    );
    assert.deepEqual(imported.refusals, []);
    return takeMarks(client);
  };
  assert.deepEqual(await marksOf({ kind: 'tournament', slug: 'cup' }, cup), []);
  assert.deepEqual(await marksOf(battle({})), ['tournament cup']);
  assert.deepEqual(await marksOf(battle({})), []);
  assert.deepEqual(await marksOf({ kind: 'remove', of: 'battle', id: 'b9' }), ['tournament cup']);
  assert.deepEqual(await marksOf({ kind: 'remove', of: 'battle', id: 'b9' }), []);
  assert.deepEqual(await marksOf({ kind: 'tournament', slug: 'cup', adjustments: [] }), ['tournament cup']);
  assert.deepEqual(await marksOf({ kind: 'participant', tournament: 'cup', id: 'p2', player: 'bob' }), [
    'tournament cup',
  ]);
  assert.deepEqual(
    await marksOf({
      kind: 'remove',
      of: 'bye',
      tournament: 'cup',
      stage: 'swiss',
      round: 1,
      participant: 'p3',
    }),
    ['tournament cup'],
  );
  assert.deepEqual(await marksOf({ kind: 'remove', of: 'participant', tournament: 'cup', id: 'p3' }), [
    'tournament cup',
  ]);
  assert.deepEqual(
    await marksOf({
      kind: 'remove',
      of: 'match',
      tournament: 'cup',
      stage: 'knockout',
      round: 1,
      position: 1,
    }),
    ['tournament cup'],
  );
  assert.deepEqual(await marksOf({ kind: 'club', slug: 'home', members: 3 }), ['club home']);
  assert.deepEqual(await marksOf({ kind: 'battlePack', name: 'Almanac', objectives: false }), [
    'battlePack Almanac',
  ]);
  assert.deepEqual(await marksOf({ kind: 'player', id: 'bob', name: 'Robert' }), ['player bob']);
  await spreadPlayerMarks(client, ['bob']);
  assert.deepEqual(await takeMarks(client), ['tournament cup', 'battle c']);
  await spreadPlayerMarks(client, ['ann']);
  assert.deepEqual(await takeMarks(client), ['tournament cup']);
  await spreadBattlePackMarks(client, ['Almanac']);
  assert.deepEqual(await takeMarks(client), ['tournament cup']);
  assert.deepEqual(
    await marksOf({ kind: 'remove', of: 'tournament', id: 'cup' }, { kind: 'remove', of: 'battle', id: 'c' }),
    ['tournament cup', 'battle c'],
  );
  assert.deepEqual(await marksOf({ kind: 'remove', of: 'club', id: 'home' }), ['club home']);
  const facts = await allFacts(client);
  assert.equal(Object.values(facts).flat().length, 3, 'a pack and two players are left');
});

test('an event told again may move its battles from what goes to what comes', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup]);
  const moved = {
    ...cup,
    stages: [cup.stages[0], { id: 'placement-3', label: 'Third', type: 'bracket', rounds: 1 }],
    participants: [cup.participants[0], { id: 'q2', player: 'bob' }, { id: 'p3', name: 'Guest' }],
    battles: [
      { id: 'b1', stage: 'placement-3', round: 1, sides: [{ participant: 'q2' }, { participant: 'p1' }] },
      { id: 'b7', stage: 'placement-3', round: 1, sides: [{ participant: 'p1' }, { participant: 'q2' }] },
    ],
    adjustments: [{ stage: 'placement-3', participant: 'q2', battlePoints: 1 }],
    matches: [{ stage: 'placement-3', round: 1, position: 1, table: 1, players: ['q2', 'p1'], battle: 'b7' }],
  };
  assert.deepEqual((await importLines(client, [moved])).refusals, []);
  const told = await allFacts(client);
  await emptyFacts(client);
  await importLines(client, [...ground, moved]);
  assert.deepEqual(told, await allFacts(client));
});

test('a battle and the match that names it move to another stage together', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup]);
  const third = { id: 'placement-3', label: 'Third', type: 'bracket', rounds: 1 };
  const moved = {
    ...cup,
    stages: [...cup.stages, third],
    battles: [cup.battles[0], { ...cup.battles[1], stage: 'placement-3' }],
    matches: [{ ...cup.matches[0], stage: 'placement-3' }],
  };
  assert.deepEqual((await importLines(client, [moved])).refusals, []);
});

test('metrics change as long as no stored battle contradicts them', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup]);
  const sides = [{ participant: 'p1', metrics: { Slain: 1, Painted: 1 } }, { participant: 'p3' }];
  const feed = [
    battle({ sides }),
    // Totals are numbers whatever the type, which only matters for rounds.
    {
      kind: 'tournament',
      slug: 'cup',
      metrics: [...cup.metrics, { name: 'New', type: 'number' }].toReversed(),
    },
    { kind: 'tournament', slug: 'cup', metrics: cup.metrics.map(({ name }) => ({ name, type: 'yesNo' })) },
    { kind: 'tournament', slug: 'cup', metrics: [], battles: cup.battles },
  ];
  assert.deepEqual((await importLines(client, feed)).refusals, []);
});

test('two small records are judged alike in one transaction and in two', async () => {
  const swap = [
    { kind: 'participant', tournament: 'cup', id: 'p1', player: 'bob', club: 'home' },
    { kind: 'participant', tournament: 'cup', id: 'p2', player: 'ann' },
  ];
  const expected = [
    'feed:1: player: expected a player who is not in the tournament yet, found "bob", who is participant "p2"',
    'feed:2: player: expected a player who is not in the tournament yet, found "ann", who is participant "p1"',
  ];
  await emptyFacts(client);
  await importLines(client, [...ground, cup]);
  assert.deepEqual((await importLines(client, swap)).refusals, expected);
  assert.deepEqual((await importLines(client, swap, { batchBytes: 1 })).refusals, expected);
  const freed = [{ kind: 'participant', tournament: 'cup', id: 'p1', name: 'Nobody' }, swap[1] ?? {}];
  assert.deepEqual((await importLines(client, freed)).refusals, []);
});
