import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';

// Every page that shows a participant must name the same table and the same place.

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 0 });
const today = new Date().toISOString().slice(0, 10);

type Game = [id: string, round: number, table: number, first: string, second: string, winner?: string];

const battleOf = ([id, round, table, first, second, winner]: Game, stage = 'swiss') => ({
  id,
  stage,
  round,
  table,
  finished: winner !== undefined,
  ...(winner !== undefined && { winner }),
  sides: [first, second].map((each) => ({
    participant: each,
    ...(winner !== undefined && {
      battlePoints: each === winner ? 2 : 0,
      victoryPoints: each === winner ? 20 : 5,
    }),
  })),
});

function event(slug: string, games: Game[], more: object = {}): FeedRecord {
  const people = [...new Set(games.flatMap(([, , , first, second]) => [first, second]))];
  return {
    kind: 'tournament',
    slug,
    name: slug,
    published: true,
    status: 'ongoing',
    startDate: today,
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: people.map((id) => ({ id, player: id })),
    battles: games.map((game) => battleOf(game)),
    ...more,
  };
}

const people: FeedRecord[] = ['ann', 'bo', 'cy', 'di', 'eve', 'fay'].map((id) => ({
  kind: 'player',
  id,
  name: `${id[0]?.toUpperCase()}${id.slice(1)} Player`,
}));

async function words(path: string): Promise<string> {
  const text = await (await fetch(`${server.siteUrl}/tournaments/${path}`)).text();
  return text
    .slice(Math.max(0, text.indexOf('<main')))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('rounds that are paired in advance: a participant plays the game of the round that is played', async () => {
  const robin: Game[] = [
    ['r1', 1, 1, 'ann', 'bo'],
    ['r2', 1, 2, 'cy', 'di'],
    ['r3', 2, 3, 'ann', 'cy'],
    ['r4', 2, 4, 'bo', 'di'],
    ['r5', 3, 5, 'ann', 'di'],
    ['r6', 3, 6, 'bo', 'cy'],
  ];
  await publishFeed(database.pool, [...people, event('robin', robin)]);
  const own = await words('robin/players/ann');
  assert.match(own, / Table 1 Round 1 · vs Bo Player /);
  assert.equal(own.match(/playing now/g)?.length, 1);
  assert.equal(own.match(/no result yet/g)?.length, 2);
  assert.match(await words('robin/names'), /Ann Player vs Bo Player/);
});

test('no round is to come on a board that was cut short for the knockout', async () => {
  const swiss: Game[] = [
    ['s1', 1, 1, 'ann', 'bo', 'ann'],
    ['s2', 1, 2, 'cy', 'di', 'cy'],
  ];
  await publishFeed(database.pool, [event('cut', swiss)]);
  assert.match(await words('cut/players/bo'), / 2 not paired yet 3 not paired yet /);
  const members = ['ann', 'cy'].map((participant, at) => ({ participant, seed: at + 1 }));
  const board = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 };
  const stages = [board, { id: 'knockout', label: 'Top 2', type: 'bracket', rounds: 1, members }];
  const final: Game = ['s3', 1, 1, 'ann', 'cy'];
  await publishFeed(database.pool, [
    event('cut', swiss, {
      stages,
      battles: [...swiss.map((game) => battleOf(game)), battleOf(final, 'knockout')],
      matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['ann', 'cy'], battle: 's3' }],
    }),
  ]);
  assert.doesNotMatch(await words('cut/players/bo'), /not paired yet/);
  assert.match(await words('cut/players/ann'), / Table 1 Final · vs Cy Player /);
});

test('nobody has a place before their first result, on any page', async () => {
  const games: Game[] = [
    ['n1', 1, 1, 'ann', 'bo', 'ann'],
    ['n2', 1, 2, 'cy', 'di'],
    ['n3', 1, 3, 'eve', 'fay'],
  ];
  await publishFeed(database.pool, [event('begun', games)]);
  assert.match(await words('begun/players/ann'), /Place so far 1st of 6/);
  assert.match(await words('begun/players/cy'), /Place so far – of 6/);
  const names = await words('begun/names');
  assert.match(names, /Ann Player vs Bo Player · 1st/);
  assert.doesNotMatch(names, /Cy Player vs Di Player ·/);
  const screen = await words('begun/screen');
  assert.match(screen, / 1 Ann Player /);
  assert.match(screen, / – T2 Cy Player | – playing now, T2 Cy Player /);
  const career = await (await fetch(`${server.siteUrl}/players/cy`)).text();
  assert.doesNotMatch(career, /\dth of 6|\drd of 6|\dnd of 6/);
});

test('a recorded ranking that is one round behind keeps its round, on the screen and in the path', async () => {
  const games: Game[] = [
    ['k1', 1, 1, 'ann', 'bo', 'ann'],
    ['k2', 1, 2, 'cy', 'di', 'cy'],
    ['k3', 2, 1, 'ann', 'cy', 'cy'],
    ['k4', 2, 2, 'bo', 'di', 'bo'],
  ];
  const ranks = ['cy', 'ann', 'bo', 'di'].map((participant, at) => ({ participant, rank: at + 1 }));
  await publishFeed(database.pool, [
    event('behind', games),
    { kind: 'ranking', tournament: 'behind', stage: 'swiss', afterRound: 1, ranks },
  ]);
  assert.match(
    await words('behind/players/ann'),
    / 1 .*won 20–5 2 BP · 2nd 2 .*lost 5–20 0 BP 3 not paired yet/,
  );
  assert.match(await words('behind/screen'), /Standings after round 1/);
});

test('only the match of the last round that made the champion is the final', async () => {
  const knockout = (
    slug: string,
    placements: Record<string, object>,
    ...matches: [string, number, number, string, string, string, string?][]
  ) =>
    event(slug, [], {
      status: 'finished',
      stages: [
        {
          id: 'knockout',
          label: 'Top 4',
          type: 'bracket',
          rounds: 2,
          members: ['ann', 'bo', 'cy', 'di'].map((participant, at) => ({ participant, seed: at + 1 })),
        },
      ],
      participants: ['ann', 'bo', 'cy', 'di'].map((id) => ({
        id,
        player: id,
        ...placements[id],
      })),
      battles: matches.map(([id, round, , first, second, winner]) =>
        battleOf([id, round, 1, first, second, winner], 'knockout'),
      ),
      matches: matches.map(([id, round, position, first, second, winner, name]) => ({
        stage: 'knockout',
        round,
        position,
        table: position,
        players: [first, second],
        winner,
        battle: id,
        ...(name !== undefined && { name }),
      })),
    });
  await publishFeed(database.pool, [
    knockout(
      'grand',
      {},
      ['g1', 1, 1, 'ann', 'di', 'ann'],
      ['g2', 1, 2, 'bo', 'cy', 'bo'],
      ['g3', 2, 1, 'ann', 'bo', 'ann', 'Grand Final'],
      ['g4', 2, 2, 'cy', 'di', 'cy', 'Final'],
    ),
  ]);
  assert.match(await words('grand'), /Ann Player won 20 .*Bo Player lost 5 Grand Final Standings/);
  const placed = Object.fromEntries(
    ['bo', 'ann', 'cy', 'di'].map((id, at) => [id, { finalPlacement: at + 1 }]),
  );
  await publishFeed(database.pool, [
    knockout(
      'decided',
      placed,
      ['d1', 1, 1, 'ann', 'di', 'ann'],
      ['d2', 1, 2, 'bo', 'cy', 'bo'],
      ['d3', 2, 1, 'ann', 'bo', 'ann'],
    ),
  ]);
  const decided = await words('decided');
  assert.match(decided, /Won by Bo Player/);
  assert.doesNotMatch(decided, /Final (Final )?Standings Bracket/);
});
