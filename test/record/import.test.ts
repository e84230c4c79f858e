import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import {
  allFacts,
  emptyFacts,
  exampleFeed,
  importLines,
  importText,
  rowVersions,
  takeMarks,
} from '../support/feed.ts';
import { importFeed } from '../../src/record/import.ts';
import { readCasualBattles } from '../../src/record/facts/read-battles.ts';
import { readPlayers, readTournaments } from '../../src/record/facts/read-facts.ts';
import { spreadBattlePackMarks, spreadPlayerMarks } from '../../src/record/stale.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

const ground = [
  { kind: 'club', slug: 'home', name: 'Home' },
  { kind: 'battlePack', name: 'Almanac', objectives: true },
  { kind: 'player', id: 'ann', name: 'Ann' },
  { kind: 'player', id: 'bob', name: 'Bob' },
];
const cup = {
  kind: 'tournament',
  slug: 'cup',
  name: 'Cup',
  published: true,
  status: 'ongoing',
  battleSize: 2000,
  battlePack: 'Almanac',
  organizer: 'home',
  tournamentOrganizers: ['ann'],
  metrics: [
    { name: 'Slain', type: 'number' },
    { name: 'Painted', type: 'yesNo' },
  ],
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 },
    {
      id: 'knockout',
      label: 'Cut',
      type: 'bracket',
      rounds: 1,
      members: [{ participant: 'p1' }, { participant: 'p2' }],
    },
  ],
  participants: [
    { id: 'p1', player: 'ann', club: 'home' },
    {
      id: 'p2',
      player: 'bob',
      list: { faction: 'Moth Parliament', subFaction: '', points: 1, battleTacticCards: [], text: 'x' },
    },
    { id: 'p3', name: 'Guest' },
  ],
  byes: [{ stage: 'swiss', round: 1, participant: 'p3', win: true }],
  adjustments: [{ stage: 'swiss', participant: 'p1', battlePoints: -1 }],
  battles: [
    { id: 'b1', stage: 'swiss', round: 1, sides: [{ participant: 'p1' }, { participant: 'p2' }] },
    { id: 'b2', stage: 'knockout', round: 1, sides: [{ participant: 'p1' }, { participant: 'p2' }] },
  ],
  matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['p1', 'p2'], battle: 'b2' }],
};
const battle = (change: object) => ({
  kind: 'battle',
  tournament: 'cup',
  id: 'b9',
  stage: 'swiss',
  round: 2,
  sides: [{ participant: 'p1' }, { participant: 'p3' }],
  ...change,
});

test('the example of docs/feed.md imports; the second time no row is touched and nothing is marked', async () => {
  await emptyFacts(client);
  const first = await importText(client, exampleFeed());
  assert.deepEqual(first.refusals, []);
  assert.equal(first.battles, 5);
  const marks = new Set(await takeMarks(client));
  assert.ok(
    marks.has('tournament tidewatch-open-2025') && marks.has('player bjorn') && marks.has('battle casual-7'),
  );
  const facts = await allFacts(client);
  const versions = await rowVersions(client);
  assert.ok(versions.length > 30);

  const second = await importText(client, exampleFeed());
  assert.deepEqual(second.refusals, []);
  assert.deepEqual(await rowVersions(client), versions);
  assert.deepEqual(await allFacts(client), facts);
  assert.deepEqual(await takeMarks(client), []);
});

test('facts are read back in the words of the domain', async () => {
  await emptyFacts(client);
  await importText(client, exampleFeed());
  const [open] = await readTournaments(client, ['tidewatch-open-2025', 'unknown']);
  assert.ok(open);
  assert.equal(open.startDate, '2025-06-14');
  assert.deepEqual(
    open.stages.map(({ id, members }) => [id, members.map(({ participant, seed }) => [participant, seed])]),
    [
      [
        'swiss',
        [
          ['p1', null],
          ['p2', null],
          ['p3', null],
        ],
      ],
      [
        'knockout',
        [
          ['p1', 1],
          ['p2', 2],
        ],
      ],
    ],
  );
  assert.deepEqual(
    open.participants.map(({ playerId, name, erased }) => [playerId, name, erased]),
    [
      ['ana-q', 'Ana Quiroga', false],
      ['bjorn', null, true],
      [null, 'Guest Gwen', false],
    ],
  );
  const [first] = open.battles;
  assert.deepEqual(first?.sides[0].rounds[0], {
    round: 1,
    victoryPoints: 10,
    objectivePoints: 6,
    objectives: ['North well'],
    battleTactic: 'Swift Crossing',
    battleTacticScored: true,
    priority: true,
    metrics: { 'Generals slain': 1, Painted: true },
  });
  assert.deepEqual([first?.winner, first?.battlePack?.objectives, first?.battleSize], [0, true, 2000]);
  assert.deepEqual(open.matches[0]?.players, ['p1', 'p2']);
  const [league] = await readTournaments(client, ['lantern-league']);
  assert.deepEqual([league?.groups, league?.stages[0]?.label], [['Group A', 'Group B'], 'Group Stage']);
  const [casual] = await readCasualBattles(client, ['casual-7', 'tw25-1']);
  assert.deepEqual(
    [casual?.club, casual?.sides[0].name, casual?.sides[1].name, casual?.sides[1].playerId],
    ['tidewatch', 'Chidi Eze', 'Pascal', null],
  );
});

/** Each stands between two good records; exactly that one is refused, and nothing of it is there. */
const refusals: [string, object | string, string][] = [
  [
    'a new club without a name',
    { kind: 'club', slug: 'x' },
    'name: expected a name for a new club, found nothing',
  ],
  [
    'a new player without a name',
    { kind: 'player', id: 'x' },
    'name: expected a name for a new player, found nothing',
  ],
  [
    'a new tournament without a battle size',
    { kind: 'tournament', slug: 'x', name: 'X', published: true, status: 'planned' },
    'battleSize: expected a battle size for a new tournament, found nothing',
  ],
  [
    'a new tournament without a status',
    { kind: 'tournament', slug: 'x', name: 'X', published: true, battleSize: 1 },
    'status: expected a status for a new tournament, found nothing',
  ],
  [
    'a new tournament that does not say whether it is public',
    { ...cup, slug: 'x', published: undefined, battles: [], matches: [] },
    'published: expected true or false (a new tournament must say which: nothing becomes public by omission), found nothing',
  ],
  [
    'an unknown club',
    { ...cup, slug: 'x', organizer: 'nowhere', battles: [], matches: [] },
    'organizer: expected a recorded club, found "nowhere"',
  ],
  [
    'an unknown pack',
    { kind: 'tournament', slug: 'cup', battlePack: 'None' },
    'battlePack: expected a recorded battle pack, found "None"',
  ],
  [
    'an unknown organizer',
    { kind: 'tournament', slug: 'cup', tournamentOrganizers: ['ann', 'zed'] },
    'tournamentOrganizers[1]: expected a recorded player, found "zed"',
  ],
  [
    'an unknown player',
    { kind: 'participant', tournament: 'cup', id: 'p9', player: 'zed' },
    'player: expected a recorded player, found "zed"',
  ],
  [
    'an unknown club of a participant',
    {
      ...cup,
      participants: [{ id: 'p1', name: 'A', club: 'zed' }, cup.participants[1], cup.participants[2]],
    },
    'participants[0].club: expected a recorded club, found "zed"',
  ],
  [
    'an unknown pack of a battle',
    battle({ battlePack: 'None' }),
    'battlePack: expected a recorded battle pack, found "None"',
  ],
  [
    'a battle of an unknown tournament',
    battle({ tournament: 'nowhere' }),
    'tournament: expected a recorded tournament, found "nowhere"',
  ],
  [
    'a side that is nobody in the tournament',
    battle({ sides: [{ participant: 'p1' }, { participant: 'p7' }] }),
    'sides[1].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a side that is nobody in the record',
    {
      ...cup,
      battles: [{ ...cup.battles[0], sides: [{ participant: 'p1' }, { participant: 'p7' }] }, cup.battles[1]],
    },
    'battles[0].sides[1].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a stage the tournament does not have',
    battle({ stage: 'placement-swiss' }),
    'stage: expected one of swiss, knockout, found "placement-swiss"',
  ],
  [
    'a stage of a tournament without any',
    {
      kind: 'tournament',
      slug: 'x',
      name: 'X',
      published: true,
      status: 'planned',
      battleSize: 1,
      participants: [{ id: 'a', name: 'A' }],
      byes: [{ stage: 'swiss', round: 1, participant: 'a', win: true }],
    },
    'byes[0].stage: expected a stage of the tournament, which has none, found "swiss"',
  ],
  [
    'a battle without exactly two sides',
    battle({ sides: [{ participant: 'p1' }] }),
    'sides: expected exactly two sides, found 1',
  ],
  [
    'a winner who did not play',
    battle({ finished: true, winner: 'p2' }),
    'winner: expected one of the two sides, found "p2"',
  ],
  [
    'two attackers',
    battle({
      sides: [
        { participant: 'p1', role: 'attacker' },
        { participant: 'p3', role: 'attacker' },
      ],
    }),
    'sides: expected an attacker and a defender, found two attackers',
  ],
  [
    'a list for nobody',
    { kind: 'participant', tournament: 'cup', id: 'p9', list: cup.participants[1]?.list },
    "expected either a player or a guest's name, found neither",
  ],
  [
    'a date the calendar does not have',
    battle({ date: '2025-02-29' }),
    'date: expected a date the calendar has, found "2025-02-29"',
  ],
  [
    'a slug that does not fit a URL',
    { kind: 'club', slug: 'a/b', name: 'A' },
    'slug: expected lower-case letters, digits and hyphens, 1 to 100, found "a/b"',
  ],
  [
    'a stage id outside the known forms',
    { kind: 'tournament', slug: 'cup', stages: [{ id: 'finals', label: 'F', type: 'bracket', rounds: 1 }] },
    'stages[0].id: expected swiss, knockout, placement-swiss, placement-3, placement-5-8 and the like, found "finals"',
  ],
  [
    'a grouped stage with a member in no group',
    {
      ...cup,
      groups: ['A'],
      stages: [{ ...cup.stages[0], grouped: true }, cup.stages[1]],
      participants: cup.participants.map((each, index) => (index === 1 ? each : { ...each, group: 'A' })),
    },
    'participants[1].group: expected a group, because swiss is played in groups, found nothing',
  ],
  [
    'grouping a stage of the ungrouped',
    { kind: 'tournament', slug: 'cup', stages: [{ ...cup.stages[0], grouped: true }, cup.stages[1]] },
    ['p1', 'p2', 'p3']
      .map((id) => `stages[0].grouped: expected every member in a group, found "${id}" without one`)
      .join('\nfeed:2: '),
  ],
  [
    'a group the tournament does not have',
    { kind: 'participant', tournament: 'cup', id: 'p9', name: 'G', group: 'A' },
    'group: expected one of the tournament\'s groups, found "A"',
  ],
  [
    'a member who is nobody',
    {
      kind: 'tournament',
      slug: 'cup',
      stages: [cup.stages[0], { ...cup.stages[1], members: [{ participant: 'p7' }] }],
    },
    'stages[1].members[0].participant: expected a participant of the tournament, found "p7"',
  ],
  [
    'a metric the tournament does not have',
    battle({ sides: [{ participant: 'p1', metrics: { Lost: 1 } }, { participant: 'p3' }] }),
    'sides[0].metrics: expected the names of metrics of the tournament, found "Lost"',
  ],
  [
    'a metric of the wrong type',
    battle({
      sides: [{ participant: 'p1', rounds: [{ round: 1, metrics: { Slain: true } }] }, { participant: 'p3' }],
    }),
    'sides[0].rounds[0].metrics["Slain"]: expected a number, found true',
  ],
  [
    "a faction that is not the participant's list's",
    battle({ sides: [{ participant: 'p1' }, { participant: 'p2', faction: 'Quarry Giants' }] }),
    'sides[1].faction: expected the faction of the participant\'s list ("Moth Parliament"), found "Quarry Giants"',
  ],
  [
    'a match of a battle of another stage',
    { kind: 'match', tournament: 'cup', stage: 'knockout', round: 1, position: 1, table: 1, battle: 'b1' },
    'battle: expected a battle of knockout, found "b1"',
  ],
  [
    'a match of a battle between others',
    { kind: 'match', tournament: 'cup', ...cup.matches[0], players: ['p1', 'p3'] },
    'battle: expected a battle between the players of the match, found "b2"',
  ],
  [
    'a match of a battle, and of players not yet known',
    { kind: 'match', tournament: 'cup', ...cup.matches[0], players: [] },
    'battle: expected a battle between the players of the match, found "b2"',
  ],
  [
    'a match of nobody',
    { kind: 'match', tournament: 'cup', stage: 'knockout', round: 1, position: 1, table: 1, players: ['p7'] },
    'players[0]: expected a participant of the tournament, found "p7"',
  ],
  [
    'an end before the stored start',
    { kind: 'tournament', slug: 'dated', endDate: '2025-01-01' },
    'endDate: expected 2025-05-05 or later, found "2025-01-01"',
  ],
  [
    'a start after the stored end',
    { kind: 'tournament', slug: 'dated', startDate: '2025-06-01' },
    'startDate: expected 2025-05-06 or earlier, found "2025-06-01"',
  ],
  [
    'a battle id of another tournament',
    battle({ id: 'casual' }),
    'id: expected an id that no other battle has, found "casual"',
  ],
  [
    'a battle id of another tournament, in a record',
    {
      ...cup,
      slug: 'x',
      matches: [],
      battles: [
        { ...cup.battles[0], id: 'new' },
        { ...cup.battles[1], id: 'b2' },
      ],
    },
    'battles[1].id: expected an id that no other battle has, found "b2"',
  ],
  [
    'a casual battle that is already of a tournament',
    { kind: 'battle', id: 'b1', battleSize: 1, sides: [{ player: 'ann' }, { name: 'G' }] },
    'id: expected an id that no other battle has, found "b1"',
  ],
  [
    'a casual battle of an unknown player',
    { kind: 'battle', id: 'c', battleSize: 1, sides: [{ player: 'zed' }, { name: 'G', club: 'zed' }] },
    'sides[0].player: expected a recorded player, found "zed"\nfeed:2: sides[1].club: expected a recorded club, found "zed"',
  ],
  [
    'a player who is there under another id',
    { kind: 'participant', tournament: 'cup', id: 'p9', player: 'ann' },
    'player: expected a player who is not in the tournament yet, found "ann", who is participant "p1"',
  ],
  [
    'leaving out a participant who has battles',
    { kind: 'tournament', slug: 'cup', participants: [cup.participants[0], cup.participants[2]] },
    'participants: expected "p2", which a stage still names, found it left out',
  ],
  [
    'leaving out a stage that has battles',
    { kind: 'tournament', slug: 'cup', stages: [{ ...cup.stages[1], members: null }] },
    'stages: expected "swiss", which a bye still names, found it left out',
  ],
  [
    'a list against a stored battle',
    {
      kind: 'participant',
      tournament: 'cup',
      id: 'p3',
      name: 'Guest',
      list: { ...cup.participants[1]?.list, faction: 'Quarry Giants' },
    },
    'list.faction: expected the faction played in battle "b3" ("Marrow Choir"), found "Quarry Giants"',
  ],
  [
    'a list against a stored battle, in a record',
    {
      kind: 'tournament',
      slug: 'cup',
      participants: [
        cup.participants[0],
        cup.participants[1],
        {
          id: 'p3',
          name: 'Guest',
          list: { ...cup.participants[1]?.list, faction: 'Quarry Giants' },
        },
      ],
    },
    'participants[2].list.faction: expected the faction played in battle "b3" ("Marrow Choir"), found "Quarry Giants"',
  ],
  [
    'a battle that leaves the stage of its match',
    battle({ id: 'b2', stage: 'swiss', sides: cup.battles[1]?.sides }),
    'stage: expected "knockout", because a match of that stage names "b2", found "swiss"',
  ],
  [
    'a battle that leaves the stage of its match, in a record',
    { kind: 'tournament', slug: 'cup', battles: [{ ...cup.battles[1], stage: 'swiss' }] },
    'battles[0].stage: expected "knockout", because a match of that stage names "b2", found "swiss"',
  ],
  [
    'leaving out a battle that a match names',
    { kind: 'tournament', slug: 'cup', battles: [cup.battles[0]] },
    'battles: expected "b2", which a match still names, found it left out',
  ],
  [
    'leaving out a metric that battles have',
    { kind: 'tournament', slug: 'cup', metrics: [{ name: 'Painted', type: 'yesNo' }] },
    'metrics: expected "Slain", which battle "b3" uses, found it left out',
  ],
  [
    'another type for a metric that battles have',
    { kind: 'tournament', slug: 'cup', metrics: [cup.metrics[0], { name: 'Painted', type: 'number' }] },
    'metrics: expected "Painted" of type yesNo, as in battle "b3", found number',
  ],
  [
    'removing a club that runs a tournament',
    { kind: 'remove', of: 'club', id: 'home' },
    'id: expected a club that nothing refers to, found "home", which tournament "cup" refers to',
  ],
  [
    'removing a pack that is played',
    { kind: 'remove', of: 'battlePack', id: 'Almanac' },
    'id: expected a battle pack that nothing refers to, found "Almanac", which tournament "cup" refers to',
  ],
  [
    'removing a battle that a match names',
    { kind: 'remove', of: 'battle', id: 'b2' },
    'id: expected a battle that no match refers to, found "b2", which the match at knockout, round 1, position 1 refers to',
  ],
  [
    'removing a participant who has battles',
    { kind: 'remove', of: 'participant', tournament: 'cup', id: 'p1' },
    'id: expected a participant that nothing refers to, found "p1", which battle "b1" refers to',
  ],
  ['a line that is not JSON', '{"kind"', 'expected JSON, found something else at character 8'],
  [
    'a key given twice',
    '{"kind":"club","slug":"x","name":"X","name":"Y"}',
    'expected each key once, found "name" twice in one object',
  ],
];

test('every refusal names its line, path, expectation and finding; nothing of it is recorded, its neighbours are', async () => {
  for (const [what, record, message] of refusals) {
    await emptyFacts(client);
    await importLines(client, [
      ...ground,
      cup,
      {
        kind: 'battle',
        tournament: 'cup',
        id: 'b3',
        stage: 'swiss',
        round: 3,
        sides: [
          { participant: 'p1', metrics: { Slain: 2 } },
          {
            participant: 'p3',
            faction: 'Marrow Choir',
            rounds: [{ round: 1, metrics: { Painted: true } }],
          },
        ],
      },
      {
        kind: 'tournament',
        slug: 'dated',
        published: true,
        name: 'D',
        status: 'planned',
        battleSize: 1,
        startDate: '2025-05-05',
        endDate: '2025-05-06',
      },
      { kind: 'battle', id: 'casual', battleSize: 1, sides: [{ player: 'ann' }, { name: 'G' }] },
    ]);
    const before = await allFacts(client);
    await takeMarks(client);

    const imported = await importLines(client, [
      { kind: 'player', id: 'before', name: 'Before' },
      typeof record === 'string' ? record : { ...record },
      { kind: 'player', id: 'zz-after', name: 'After' },
    ]);
    assert.deepEqual(imported.refusals.join('\n'), `feed:2: ${message}`, what);
    assert.deepEqual([imported.records, imported.refused], [2, 1], what);
    const after = await allFacts(client);
    const added = after['record.player']?.filter((row) => !before['record.player']?.includes(row));
    assert.equal(added?.length, 2, what);
    assert.deepEqual({ ...after, 'record.player': before['record.player'] }, before, what);
    assert.deepEqual(await takeMarks(client), ['player before', 'player zz-after'], what);
  }
});

test('lines that are too long, cut off, or in the wrong encoding are refused; the lines around them are taken', async () => {
  await emptyFacts(client);
  const long = JSON.stringify({ kind: 'club', slug: 'long', name: 'L', description: 'x'.repeat(3000) });
  const { refusals: refused, records } = await importLines(
    client,
    [
      { kind: 'club', slug: 'a', name: 'A' },
      long,
      '',
      { kind: 'club', slug: 'b', name: 'B' },
      Buffer.from([0xff]),
    ],
    { longestLine: 1000 },
  );
  assert.deepEqual(refused, [
    'feed:2: expected a line of at most 1000 bytes, found a longer one',
    'feed:5: expected UTF-8, found other bytes',
  ]);
  assert.equal(records, 2);
  const cut = await importText(
    client,
    '{"kind":"club","slug":"c","name":"C"}\n{"kind":"club","slug":"d","na',
  );
  assert.deepEqual(cut.refusals, ['feed:2: expected a whole record, found the end of the file within it']);
  assert.equal((await importText(client, '{"kind":"club","slug":"e","name":"E"}')).records, 1);
});

test('a dry run refuses what an import refuses, references within the feed included, and records nothing', async () => {
  await emptyFacts(client);
  const feed = [...ground, cup, battle({ stage: 'placement-3' }), { kind: 'remove', of: 'club', id: 'home' }];
  const dry = await importLines(client, feed, { dryRun: true });
  assert.deepEqual(await rowVersions(client), []);
  assert.deepEqual(await takeMarks(client), []);
  const real = await importLines(client, feed);
  assert.deepEqual(dry.refusals, real.refusals);
  assert.deepEqual([dry.records, dry.refused], [5, 2]);
});

test('with stop-on-error everything before the first refusal is recorded and nothing after it', async () => {
  for (const bad of [
    { kind: 'participant', tournament: 'none', id: 'x', name: 'X' },
    '{',
    { kind: 'battle', id: 'b1', battleSize: 1, sides: [{ name: 'A' }, { name: 'B' }] },
  ]) {
    await emptyFacts(client);
    const feed = [...ground, cup, bad, { kind: 'player', id: 'after', name: 'After' }, '{'];
    const { refusals: refused, records } = await importLines(client, feed, { stopOnError: true });
    assert.equal(refused.length, 1);
    assert.match(refused[0] ?? '', /^feed:6: /);
    assert.equal(records, 5);
    const facts = await allFacts(client);
    assert.equal(facts['record.player']?.length, 2);
    assert.equal(facts['record.tournament']?.length, 1);
  }
});

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

test('erasing removes the name everywhere and sticks until it is undone outright', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup, { kind: 'remove', of: 'player', id: 'bob' }]);
  assert.ok(!JSON.stringify(await allFacts(client)).includes('Bob'));
  assert.deepEqual(await importLines(client, ground).then(({ refusals: refused }) => refused), []);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: null, erased: true }]);
  const [facts] = await readTournaments(client, ['cup']);
  assert.deepEqual(
    facts?.battles[0]?.sides.map(({ name, erased }) => [name, erased]),
    [
      ['Ann', false],
      [null, true],
    ],
  );
  const nameless = await importLines(client, [{ kind: 'player', id: 'bob', erased: false }]);
  assert.deepEqual(nameless.refusals, [
    'feed:1: name: expected a name for a player who is no longer erased, found nothing',
  ]);
  await importLines(client, [{ kind: 'player', id: 'bob', erased: false, name: 'Bob' }]);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: 'Bob', erased: false }]);
});

test('a player who is erased before they are known stays erased when they come', async () => {
  await emptyFacts(client);
  await takeMarks(client);
  const removal = { kind: 'remove', of: 'player', id: 'cat' };
  assert.deepEqual((await importLines(client, [removal])).refusals, []);
  assert.deepEqual(await readPlayers(client, ['cat']), [{ playerId: 'cat', name: null, erased: true }]);
  assert.deepEqual(await takeMarks(client), ['player cat']);
  const versions = await rowVersions(client);
  await importLines(client, [removal, { kind: 'player', id: 'cat', name: 'Cat' }]);
  assert.deepEqual([await rowVersions(client), await takeMarks(client)], [versions, []]);
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
    // Totals are numbers whatever the type; only rounds have it.
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

test('two imports of one event at once: one after the other, nothing refused', async () => {
  await emptyFacts(client);
  await importLines(client, ground);
  const other = await database.pool.connect();
  try {
    const both = await Promise.all([
      importLines(client, [cup, battle({})]),
      importLines(other, [cup, battle({})]),
    ]);
    assert.deepEqual(
      both.flatMap(({ refusals: refused }) => refused),
      [],
    );
  } finally {
    other.release();
  }
  const [facts] = await readTournaments(client, ['cup']);
  assert.equal(facts?.battles.length, 3);
});

/** Runs `work` while every write of a club fails with `code`, as long as `condition` holds. */
async function whileClubsFail(code: string, condition: string, work: () => Promise<void>): Promise<void> {
  await client.query(`create sequence record.attempt;
    create function record.fail() returns trigger language plpgsql as $$ begin
      if ${condition} then raise exception 'in the way' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger fail before insert on record.club for each row execute function record.fail()`);
  try {
    await work();
  } finally {
    await client.query('drop function record.fail cascade; drop sequence record.attempt');
  }
}
const clubs = Array.from({ length: 8 }, (_, index) => ({ kind: 'club', slug: `c${index}`, name: 'C' }));

test('a batch that was a deadlock victim is tried again, whole', async () => {
  for (const dryRun of [true, false]) {
    await emptyFacts(client);
    await whileClubsFail('40P01', `nextval('record.attempt') <= 2`, async () => {
      const imported = await importLines(client, clubs, { dryRun });
      assert.deepEqual([imported.refusals, imported.records], [[], 8]);
    });
  }
  const { rows } = await client.query('select count(distinct xmin::text)::int as n from record.club');
  assert.deepEqual(rows, [{ n: 1 }]);
});

test('what is in the way again and again splits the batch, and in the end the import; no record is refused for it', async () => {
  await emptyFacts(client);
  await whileClubsFail('40001', `new.slug = 'c6'`, async () => {
    await assert.rejects(importLines(client, clubs), /in the way/);
  });
  const { rows } = await client.query('select count(*)::int as n from record.club');
  assert.deepEqual(rows, [{ n: 6 }], 'what came before it is recorded');
});

test('an event of 1,000 players and 8 rounds is one record and one transaction', async () => {
  await emptyFacts(client);
  const participants = Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    name: `Guest ${index}`,
  }));
  const battles = Array.from({ length: 4000 }, (_, index) => {
    const [round, table] = [Math.floor(index / 500), index % 500];
    const sides = [
      { participant: `p${table * 2}`, victoryPoints: 20 },
      { participant: `p${(table * 2 + 1 + round * 2) % 1000}`, victoryPoints: 9 },
    ];
    return {
      id: `major-${index}`,
      stage: 'swiss',
      round: round + 1,
      table: table + 1,
      finished: true,
      winner: `p${table * 2}`,
      sides,
    };
  });
  const major = {
    kind: 'tournament',
    slug: 'major',
    published: true,
    name: 'Major',
    status: 'finished',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 8 }],
    participants,
    battles,
  };
  const imported = await importLines(client, [major]);
  assert.deepEqual([imported.refusals, imported.battles], [[], 4000]);
  const { rows } = await client.query(
    'select count(distinct xmin::text)::int as transactions, count(*)::int as rows from (select xmin from record.battle union all select xmin from record.participant) r',
  );
  assert.deepEqual(rows, [{ transactions: 1, rows: 5000 }]);
  const versions = await rowVersions(client);
  await importLines(client, [major]);
  assert.deepEqual(await rowVersions(client), versions);
});

/** Calls `seen` with every statement that the client is given while `work` runs. */
async function watching(
  seen: (text: string, values: unknown[]) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const spy = mock.method(client, 'query', (...given: unknown[]) => {
    const [asked] = given as [string | { text: string; values?: unknown[] }];
    if (typeof asked === 'string') seen(asked, []);
    else seen(asked.text, asked.values ?? []);
    return query(...given);
  });
  try {
    await work();
  } finally {
    spy.mock.restore();
  }
}

test('no statement carries more than a few megabytes, however long the lists', async () => {
  await emptyFacts(client);
  const heavy = (letter: string): Record<string, unknown> => ({
    ...cup,
    battles: [],
    matches: [],
    participants: [
      ...cup.participants,
      ...Array.from({ length: 100 }, (_, index) => ({
        id: `h${index}`,
        name: 'Heavy',
        list: { ...cup.participants[1]?.list, text: letter.repeat(100_000) },
      })),
    ],
  });
  await importLines(client, [...ground, heavy('a')]);
  let longest = 0;
  await watching(
    (_, values) => {
      for (const value of values) if (typeof value === 'string') longest = Math.max(longest, value.length);
    },
    () => importLines(client, [heavy('b')]),
  );
  assert.ok(longest > 1_000_000 && longest < 5_000_000, `${longest} characters in one statement`);
  const { rows } = await client.query(
    `select count(*)::int as n from record.participant_list where text like 'b%'`,
  );
  assert.deepEqual(rows, [{ n: 100 }]);
});

test('while a very heavy batch is written nothing more is read', async () => {
  for (const [name, order] of [
    ['long '.repeat(40), ['commit', 'read', 'commit']],
    ['short', ['read', 'commit', 'commit']],
  ] as const) {
    await emptyFacts(client);
    const happened: string[] = [];
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${JSON.stringify({ kind: 'club', slug: 'a', name })}\n`);
      happened.push('read');
      yield Buffer.from(`${JSON.stringify({ kind: 'club', slug: 'b', name })}\n`);
    }
    await watching(
      (text) => {
        if (text === 'commit') happened.push(text);
      },
      () =>
        importFeed(client, [{ name: 'feed', chunks: chunks() }], {
          batchBytes: 30,
          onRefusal: () => assert.fail(),
        }),
    );
    assert.deepEqual(happened, order);
  }
});

test('lines that trickle in without a pause are recorded as they come', async () => {
  let recorded = 0;
  let before = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for (let i = 0; i < 100; i += 1) {
      yield Buffer.from(`{"kind":"club","slug":"trickle-${i}","name":"Club"}\n`);
      await sleep(10);
    }
    before = recorded;
  }
  await importFeed(client, [{ name: 'feed', chunks: lines(), live: true }], {
    onRefusal: () => assert.fail(),
    onProgress: ({ records }) => (recorded = records),
  });
  assert.equal(recorded, 100);
  assert.ok(before > 0, 'nothing was recorded before the end');
});
