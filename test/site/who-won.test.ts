import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// Names cannot show who won: two players with the same name meet in a final, and two erased people met
// before. Each page must agree with the ids in the facts. It is a bracket of six because its best two join in
// the second round.

const database = await createTestDatabase();
// This server has an empty cache, because a cached page stays until the server learns of a change, a moment
// later.
const server = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 0 });

const names = { a: 'Sam Twin', b: 'Bo', c: 'Cy', d: 'Sam Twin', e: 'Eve' };
const played: [id: string, round: number, position: number, first: string, second: string, winner: string][] =
  [
    ['bc', 1, 1, 'b', 'c', 'c'],
    ['ef', 1, 2, 'e', 'f', 'f'],
    ['ca', 2, 1, 'c', 'a', 'a'],
    ['df', 2, 2, 'd', 'f', 'd'],
    // In the facts the sides of a battle are in another order than those of its match.
    ['da', 3, 1, 'd', 'a', 'a'],
  ];
const today = new Date().toISOString().slice(0, 10);
const points = (id: string, winner: string) => (id === winner ? 40 : 10 + 'abcdef'.indexOf(id));
const people = [...Object.keys(names).map((id) => ({ id, player: id })), { id: 'f', name: 'Fred Guest' }];
const cup: FeedRecord = {
  kind: 'tournament',
  slug: 'twins',
  name: 'Twins',
  published: true,
  status: 'ongoing',
  startDate: today,
  battleSize: 2000,
  stages: [
    {
      id: 'knockout',
      label: 'Top 6',
      type: 'bracket',
      rounds: 3,
      members: people.map(({ id }, index) => ({ participant: id, seed: index + 1 })),
    },
  ],
  participants: people,
  battles: played.map(([id, round, position, first, second, winner]) => ({
    id,
    stage: 'knockout',
    round,
    table: position,
    finished: true,
    winner,
    sides: [first, second].map((each) => ({ participant: each, victoryPoints: points(each, winner) })),
  })),
  matches: played.map(([id, round, position, first, second, winner]) => ({
    stage: 'knockout',
    round,
    position,
    table: position,
    players: id === 'da' ? [second, first] : [first, second],
    winner,
    battle: id,
  })),
};

const htmlOf = async (path: string) => (await fetch(`${server.siteUrl}${path}`)).text();
async function words(path: string): Promise<string> {
  const text = await htmlOf(path);
  return wordsIn(text.slice(Math.max(0, text.indexOf('<main'))));
}
const wordsIn = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
/** Returns what is being played. */
async function nowOf(path: string): Promise<string> {
  const [now = ''] = /<section class="now".*?<\/section>/s.exec(await htmlOf(path)) ?? [];
  return wordsIn(now);
}

test('every page names the winner by id, where two have one name and two are erased', async () => {
  await publishFeed(database.pool, [
    ...Object.entries(names).map(([id, name]) => ({ kind: 'player' as const, id, name })),
    cup,
  ]);
  await publishFeed(
    database.pool,
    ['b', 'c'].map((id) => ({ kind: 'player', id, erased: true })),
  );
  const bracket = await words('/tournaments/twins?stage=knockout');
  assert.match(bracket, /seed #2 Deleted player lost 11 seed #3 Deleted player won 40/);
  assert.match(bracket, /seed #1 Sam Twin won 40 seed #4 Sam Twin lost 13/);
  assert.match(await words('/embed/tournaments/twins'), /seed #1 Sam Twin won 40 seed #4 Sam Twin lost 13/);
  assert.match(await nowOf('/tournaments/twins'), /Table 1 seed #1 Sam Twin won 40 seed #4 Sam Twin lost 13/);
  const round = (number: number) => words(`/tournaments/twins/rounds?stage=knockout&round=${number}`);
  assert.match(await round(1), /Deleted player lost 11 .*Deleted player won 40/);
  assert.match(await round(3), /Sam Twin won 40 .*Sam Twin lost 13/);
  // The page of a battle begins with the winner.
  assert.match(
    await htmlOf('/battles/da'),
    /class="duel".*href="\/players\/a".*class="lost".*href="\/players\/d"/s,
  );
  assert.match(await words('/players/a'), /W–D–L 2–0–0/);
  assert.match(await words('/players/d'), /W–D–L 1–0–1/);
});

test('`now` of the API has the sides of each match with their outcome', async () => {
  const { key } = await createTestKey(database);
  const answer = await server.get('/api/extra/v1/tournaments/twins/now', bearer(key));
  const { data } = answer.json as {
    data: { pairings: { players: { playerId: string | null; outcome: string | null }[] }[] }[];
  };
  assert.deepEqual(
    data.flatMap(({ pairings }) =>
      pairings.map(({ players }) => players.map(({ playerId, outcome }) => `${playerId} ${outcome}`)),
    ),
    [['a win', 'd loss']],
  );
});

test('a guest who became a player has won and lost the same matches', async () => {
  assert.match(await words('/tournaments/twins/players/f'), /1 .*Eve .*won 40.*2 .*Sam Twin .*lost 15/s);
  await publishFeed(database.pool, [
    { kind: 'player', id: 'fred', name: 'Fred Known' },
    { kind: 'participant', tournament: 'twins', id: 'f', player: 'fred' },
  ]);
  const bracket = await words('/tournaments/twins?stage=knockout');
  assert.match(bracket, /seed #5 Eve lost 14 seed #6 Fred Known won 40/);
  assert.match(bracket, /seed #4 Sam Twin won 40 seed #6 Fred Known lost 15/);
  assert.match(await words('/players/fred'), /W–D–L 1–0–1/);
  assert.match(await words('/tournaments/twins/rounds?stage=knockout&round=1'), /Fred Known won 40/);
});

test('a finished tournament shows its final below the podium, and on the screen in the hall', async () => {
  const page = () => words('/tournaments/twins');
  const onPage = /Table 1 seed #1 Sam Twin won 40 seed #4 Sam Twin lost 13 Final /;
  const onScreen = / Final Sam Twin 40–13 Sam Twin /;
  const isShown = async () => [
    onPage.test(await page()),
    onScreen.test(await words('/tournaments/twins/screen')),
  ];
  assert.deepEqual(await isShown(), [false, false]);
  await publishFeed(database.pool, [{ kind: 'tournament', slug: 'twins', status: 'finished' }]);
  assert.match(await page(), new RegExp(`3 \\. Deleted player .* ${onPage.source}Standings`));
  assert.deepEqual(await isShown(), [true, true]);
  await publishFeed(database.pool, [{ kind: 'tournament', slug: 'twins', status: 'ongoing' }]);
  assert.deepEqual(await isShown(), [false, false]);
});

test('groups out of step: each shows the round that it is in, and who won there', async () => {
  const game = (id: string, round: number, first: string, second: string, winner?: string) => ({
    id,
    stage: 'swiss',
    round,
    table: Number(id.slice(1)),
    finished: winner !== undefined,
    ...(winner !== undefined && { winner }),
    sides: [first, second].map((each) => ({
      participant: each,
      ...(winner !== undefined && {
        battlePoints: each === winner ? 3 : 0,
        victoryPoints: points(each, winner),
      }),
    })),
  });
  const group = (name: string, ...ids: string[]) => ids.map((id) => ({ id, name: 'Pat', group: name }));
  await publishFeed(database.pool, [
    {
      kind: 'tournament',
      slug: 'league',
      name: 'League',
      published: true,
      status: 'ongoing',
      startDate: today,
      battleSize: 2000,
      groups: ['North', 'South'],
      stages: [{ id: 'swiss', label: 'Groups', type: 'board', rounds: 3, grouped: true }],
      participants: [...group('North', 'a', 'b', 'c', 'd'), ...group('South', 'e', 'f', 'g', 'h')],
      battles: [
        game('t1', 1, 'a', 'b', 'b'),
        game('t2', 1, 'c', 'd', 'c'),
        game('t3', 1, 'e', 'f', 'e'),
        game('t4', 1, 'g', 'h'),
        game('t5', 2, 'b', 'c', 'c'),
        game('t6', 2, 'a', 'd'),
      ],
    },
  ]);
  const first = await words('/tournaments/league');
  assert.match(first, / Rounds 1–2 of 3 /);
  assert.match(first, / North Round 2 · 1 of 2 results in .* South Round 1 · 1 of 2 results in /);
  const now = await nowOf('/tournaments/league');
  for (const shown of [/Table 3 Pat won 40 Pat lost 15/, /Table 5 Pat lost 11 Pat won 40/])
    assert.match(now, shown);
  assert.doesNotMatch(now, /Table [12] /);
  const rounds = await words('/tournaments/league/rounds');
  for (const shown of [/3 Pat won 40 Pat lost 15/, /5 Pat lost 11 Pat won 40/]) assert.match(rounds, shown);
  assert.doesNotMatch(rounds, /Table 1 Pat/);
  const { key } = await createTestKey(database);
  const { json } = await server.get('/api/extra/v1/tournaments/league/now', bearer(key));
  const { data } = json as { data: { group: string; round: number; pairings: { battle: string }[] }[] };
  assert.deepEqual(
    data.map(
      ({ group: name, round, pairings }) =>
        `${name} ${round}: ${pairings.map(({ battle }) => battle).join()}`,
    ),
    ['North 2: t6,t5', 'South 1: t4,t3'],
  );
});
