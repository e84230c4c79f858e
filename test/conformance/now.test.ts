import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Tests `GET /api/extra/v1/tournaments/{slug}/now`. The test server compares every answer with
// openapi-extra.json.

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);
const today = new Date().toISOString().slice(0, 10);

interface Round {
  stage: string;
  group: string | null;
  round: number;
  roundName: string;
  results: number;
  expected: number | null;
  pairings: {
    round: number;
    table: number | null;
    battle: string | null;
    finished: boolean;
    players: {
      player: string;
      playerId: string | null;
      faction: string | null;
      outcome: string | null;
      points: number | null;
    }[];
  }[];
}

const people = [
  { id: 'a', player: 'ana', faction: 'Lanternsworn' },
  { id: 'b', player: 'bo' },
  { id: 'c', name: 'Twin' },
  { id: 'd', name: 'Twin', faction: 'Marrow Choir' },
];
const event = (slug: string, more: object): FeedRecord => ({
  kind: 'tournament',
  slug,
  published: true,
  name: `Event ${slug}`,
  status: 'ongoing',
  startDate: today,
  battleSize: 1000,
  participants: people,
  stages: [{ id: 'swiss', label: 'The Swiss', type: 'board', rounds: 3 }],
  ...more,
});
/**
 * Returns a game. `1 ab 20-15` is a round, two participants and the points of a result; `1 ab` has no result
 * yet.
 */
function game(tournament: string, text: string, more: object = {}): FeedRecord {
  const [round, players = '', score] = text.split(' ');
  const points = score?.split('-').map(Number) ?? [];
  const sides = players.split('').map((participant, i) => ({
    participant,
    ...(points[i] !== undefined && { victoryPoints: points[i] }),
  }));
  const [one = 0, other = 0] = points;
  const winner = one === other ? {} : { winner: one > other ? players[0] : players[1] };
  return {
    kind: 'battle',
    id: `${tournament}-${round}${players}`,
    tournament,
    stage: 'swiss',
    round: Number(round),
    date: today,
    finished: score !== undefined,
    ...(score !== undefined && winner),
    sides,
    ...more,
  } as FeedRecord;
}

await publishFeed(database.pool, [
  { kind: 'player', id: 'ana', name: 'Ana' },
  { kind: 'player', id: 'bo', name: 'Bo' },
  event('swiss', {}),
  game('swiss', '1 ab 20-15', { table: 1 }),
  game('swiss', '1 cd', { table: 2 }),
  event('draft', { published: false }),
  event('planned', { status: 'planned' }),
  event('finished', { status: 'finished' }),
  game('finished', '1 ab 20-15'),
  event('begun', {}),
  event('old', { startDate: '2020-02-01' }),
  game('old', '1 ab 20-15', { date: '2020-02-01' }),
  game('old', '1 cd', { date: '2020-02-01' }),
  event('groups', {
    groups: ['South', 'North'],
    participants: people.map((each) => ({ ...each, group: each.id < 'c' ? 'North' : 'South' })),
    stages: [{ id: 'swiss', type: 'board', rounds: 2, grouped: true }],
  }),
  game('groups', '1 ab 3-3', { table: 7 }),
  game('groups', '2 ab', {}),
  game('groups', '1 cd'),
  event('cut', {
    stages: [
      { id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 },
      { id: 'knockout', label: 'Top Cut', type: 'bracket', rounds: 2, phase: 2 },
    ],
  }),
  game('cut', '1 ad 5-1'),
  game('cut', '1 bc 5-1'),
  game('cut', '1 bc 12-9.5', { id: 'cut-k', stage: 'knockout' }),
  {
    kind: 'tournament',
    slug: 'cut',
    matches: [
      { stage: 'knockout', round: 1, position: 1, table: 4, players: ['a', 'd'] },
      {
        stage: 'knockout',
        round: 1,
        position: 2,
        table: 0,
        players: ['c', 'b'],
        winner: 'b',
        battle: 'cut-k',
      },
      { stage: 'knockout', round: 2, position: 1, table: 1, players: [] },
    ],
  },
  ...['cd', 'ab'].flatMap((players) => final(`final-${players}`, players)),
  event('decided', { participants: 'abcdefghij'.split('').map((id) => ({ id, name: id })) }),
  game('decided', '1 ab', { finished: true, winner: 'b' }),
  game('decided', '1 cd', { finished: true }),
  game('decided', '1 ef 20-15', { winner: 'f' }),
  game('decided', '1 gh 8-8'),
  game('decided', '1 ij 11-4', { finished: false, winner: null }),
  ...knockout(),
]);

/** Returns a bracket whose matches are decided in every possible way. */
function knockout(): FeedRecord[] {
  const tournament = 'knockout';
  const guests = 'abcdefghijkl'.split('').map((id) => ({ id, name: id }));
  const battle = (text: string, more: object = {}) =>
    game(tournament, `1 ${text}`, { id: `ko-${text.slice(0, 2)}`, stage: 'knockout', ...more });
  const matches: [players: string, winner: string | null, battle?: string][] = [
    ['ab', 'b'],
    ['dc', 'd', 'ko-cd'],
    ['ef', 'f', 'ko-ef'],
    ['gh', null, 'ko-gh'],
    ['ij', null, 'ko-ij'],
    ['kl', null],
    ['yz', 'z'],
    ['wx', 'w'],
  ];
  return [
    event(tournament, {
      participants: [...guests, ...['w', 'x', 'y', 'z'].map((id) => ({ id, name: 'Twin' }))],
      stages: [{ id: 'knockout', label: 'Knockout', type: 'bracket', rounds: 4 }],
    }),
    battle('cd 20-15'),
    battle('ef 9-9'),
    battle('gh 9-9'),
    battle('ij 11-4', { finished: false, winner: null }),
    ...matches.map(([players, winner, played], i): FeedRecord => ({
      kind: 'match',
      tournament,
      stage: 'knockout',
      round: 1,
      position: i + 1,
      table: i + 1,
      players: players.split(''),
      winner,
      ...(played !== undefined && { battle: played }),
    })),
  ];
}

/** Returns a final whose battle has the players in the opposite order. */
function final(slug: string, players: string): FeedRecord[] {
  const [first = '', second = ''] = players;
  return [
    event(slug, { stages: [{ id: 'knockout', label: 'Final', type: 'bracket', rounds: 1 }] }),
    game(slug, `1 ${second}${first} 20-7`, { id: slug, stage: 'knockout' }),
    {
      kind: 'match',
      tournament: slug,
      stage: 'knockout',
      round: 1,
      position: 1,
      table: 1,
      players: [first, second],
      winner: second,
      battle: slug,
    },
  ];
}

const ask = (slug: string, headers: Record<string, string> = {}) =>
  server.get(`/api/extra/v1/tournaments/${slug}/now`, { ...bearer(key), ...headers });
const rounds = async (slug: string): Promise<Round[]> => {
  const { status, text, json } = await ask(slug);
  assert.equal(status, 200, text);
  return (json as { data: Round[] }).data;
};
const inWords = (data: Round[]) =>
  data.map(
    ({ stage, group, roundName, results, expected, pairings }) =>
      `${[stage, group, roundName].filter(Boolean).join(' ')}, ${results} of ${expected}: ${pairings
        .map(({ battle, finished }) => `${battle}${finished ? '' : '?'}`)
        .join(' ')}`,
  );

test('a round has its pairings with tables, names, ids, factions, outcomes and points', async () => {
  assert.deepEqual(await rounds('swiss'), [
    {
      stage: 'swiss',
      name: 'The Swiss',
      group: null,
      round: 1,
      roundName: 'Round 1',
      results: 1,
      expected: 2,
      pairings: [
        {
          round: 1,
          table: 2,
          battle: 'swiss-1cd',
          finished: false,
          players: [
            { player: 'Twin', playerId: null, faction: null, outcome: null, points: null },
            { player: 'Twin', playerId: null, faction: 'Marrow Choir', outcome: null, points: null },
          ],
        },
        {
          round: 1,
          table: 1,
          battle: 'swiss-1ab',
          finished: true,
          players: [
            { player: 'Ana', playerId: 'ana', faction: 'Lanternsworn', outcome: 'win', points: 20 },
            { player: 'Bo', playerId: 'bo', faction: null, outcome: 'loss', points: 15 },
          ],
        },
      ],
    },
  ]);
});

test('nothing is played before the first pairing, after the end, and in an event that is old', async () => {
  for (const slug of ['planned', 'finished', 'begun', 'old']) assert.deepEqual(await rounds(slug), [], slug);
});

test('each group is in a round of its own, in the order of the groups', async () => {
  const data = await rounds('groups');
  assert.deepEqual(inWords(data), [
    'swiss South Round 1, 0 of 1: groups-1cd?',
    'swiss North Round 2, 0 of 1: groups-2ab?',
  ]);
  assert.equal(data[1]?.pairings[0]?.table, null);
});

test('a bracket has its matches: also those without a battle or a table, and none without players', async () => {
  const [cut, ...others] = await rounds('cut');
  assert.deepEqual(others, []);
  assert.deepEqual(
    [cut?.stage, cut?.round, cut?.roundName, cut?.results, cut?.expected],
    ['knockout', 1, 'Semi-final', 1, 2],
  );
  assert.deepEqual(cut?.pairings, [
    {
      round: 1,
      table: 4,
      battle: null,
      finished: false,
      players: [
        { player: 'Ana', playerId: 'ana', faction: 'Lanternsworn', outcome: null, points: null },
        { player: 'Twin', playerId: null, faction: 'Marrow Choir', outcome: null, points: null },
      ],
    },
    {
      round: 1,
      table: null,
      battle: 'cut-k',
      finished: true,
      players: [
        { player: 'Twin', playerId: null, faction: null, outcome: 'loss', points: 9.5 },
        { player: 'Bo', playerId: 'bo', faction: null, outcome: 'win', points: 12 },
      ],
    },
  ]);
});

test('two guests of one name have each their own points, faction and outcome', async () => {
  assert.deepEqual((await rounds('final-cd'))[0]?.pairings[0]?.players, [
    { player: 'Twin', playerId: null, faction: null, outcome: 'loss', points: 7 },
    { player: 'Twin', playerId: null, faction: 'Marrow Choir', outcome: 'win', points: 20 },
  ]);
});

const outcomesOf = async (slug: string) => {
  const [round] = await rounds(slug);
  return round?.pairings.map(
    ({ finished, players }) =>
      `${players.map(({ player, outcome }) => `${player} ${outcome}`).join(', ')}${finished ? '' : '?'}`,
  );
};

test('each side of a board has its outcome: without points, against them, in a draw, and none before the end', async () => {
  assert.deepEqual(await outcomesOf('decided'), [
    'i null, j null?',
    'a loss, b win',
    'c draw, d draw',
    'e loss, f win',
    'g draw, h draw',
  ]);
});

test('a match of a bracket is won by who goes on: without a battle, against its points, after a draw', async () => {
  assert.deepEqual(await outcomesOf('knockout'), [
    'i null, j null?',
    'k null, l null?',
    'a loss, b win',
    'd win, c loss',
    'e loss, f win',
    // The organiser has not said yet who advances.
    'g draw, h draw',
    'Twin loss, Twin win',
    'Twin win, Twin loss',
  ]);
});

test('a draft is not there, as an event that never was', async () => {
  const [draft, unknown] = [await ask('draft'), await ask('no-such-event')];
  assert.equal(draft.status, 404);
  assert.equal(draft.text, unknown.text);
  assert.match(draft.text, /Tournament not found/);
  assert.equal((await ask('Not%20A%20Slug')).status, 404);
  assert.equal((await server.get('/api/extra/v1/tournaments/swiss/now')).status, 401);
  await setPublished(database.pool, 'swiss', false);
  await publishBacklog(database.pool);
  await eventually(async () => assert.equal((await ask('swiss')).status, 404));
  await setPublished(database.pool, 'swiss', true);
  await publishBacklog(database.pool);
  await eventually(async () => assert.equal((await ask('swiss')).status, 200));
});

test('an event goes on: a late result, the next round, a forgotten result; each time with a new tag', async () => {
  const tags = new Set<string>();
  const goesOn = async (records: FeedRecord[], expected: string[]) => {
    const held = (await ask('swiss')).headers.get('etag') ?? '';
    assert.equal((await ask('swiss', { 'if-none-match': held })).status, 304);
    await publishFeed(database.pool, records);
    // The texts of the rounds may be the same as before.
    await eventually(async () => {
      const { status, headers, json } = await ask('swiss', { 'if-none-match': held });
      assert.equal(status, 200);
      assert.deepEqual(inWords((json as { data: Round[] }).data), expected);
      tags.add(headers.get('etag') ?? '');
    });
  };
  await goesOn(
    [game('swiss', '2 ac', { table: 1 }), game('swiss', '2 bd', { table: 2 })],
    ['swiss Round 1, 1 of 2: swiss-1cd? swiss-1ab'],
  );
  await goesOn([game('swiss', '1 cd 8-8', { table: 2 })], ['swiss Round 2, 0 of 2: swiss-2ac? swiss-2bd?']);
  // These are points in a game that is still being played.
  await goesOn(
    [game('swiss', '2 ac 11-4', { table: 1, finished: false, winner: null })],
    ['swiss Round 2, 0 of 2: swiss-2ac? swiss-2bd?'],
  );
  const [points] = (await rounds('swiss'))[0]?.pairings[0]?.players ?? [];
  assert.equal(points?.points, 11);
  // Round 1 is sent again without a result. Both players have played on, so it no longer counts as current.
  await goesOn(
    [game('swiss', '2 ac 11-4'), game('swiss', '2 bd 1-0'), game('swiss', '1 cd'), game('swiss', '3 ad')],
    ['swiss Round 3, 0 of null: swiss-3ad?'],
  );
  await goesOn([event('swiss', { status: 'finished' })], []);
  assert.equal(tags.size, 5);
});

test('an erased player has no name and no id', async () => {
  await publishFeed(database.pool, [{ kind: 'player', id: 'ana', erased: true }]);
  await eventually(async () => {
    const [cut] = await rounds('cut');
    const [north] = (await rounds('groups')).slice(1);
    for (const round of [cut, north]) {
      const [erased] = round?.pairings[0]?.players ?? [];
      assert.deepEqual([erased?.player, erased?.playerId], ['Deleted player', null]);
    }
  });
});

test('two erased players have a side each', async () => {
  await publishFeed(database.pool, [{ kind: 'player', id: 'bo', erased: true }]);
  await eventually(async () => {
    const sides = (await rounds('final-ab'))[0]?.pairings[0]?.players.map((side) => Object.values(side));
    assert.deepEqual(sides?.map(String).toSorted(), [
      'Deleted player,,,win,20',
      'Deleted player,,Lanternsworn,loss,7',
    ]);
  });
});
