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

/** Returns the place of everybody as each page shows it: `1`, or a dash for none. */
async function placesOf(slug: string): Promise<Record<string, string[]>> {
  const pages = {
    board: await words(slug),
    names: await words(`${slug}/names`),
    list: await words(`${slug}/participants`),
  };
  const placed = ['ann', 'bo', 'cy', 'di', 'eve', 'fay'].map(async (id) => {
    const called = `${id[0]?.toUpperCase()}${id.slice(1)} Player`;
    const own = await words(`${slug}/players/${id}`);
    const career = await (await fetch(`${server.siteUrl}/players/${id}`)).text();
    const shownEvent = (
      new RegExp(`href="/tournaments/${slug}/players/${id}">(.*?)</li>`, 's').exec(career)?.[1] ?? ''
    )
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    // The podium above the standings has ranks, too.
    const board = pages.board.slice(pages.board.indexOf(' # Player '));
    return [
      id,
      [
        new RegExp(`(\\d+|–)(?: [▲▼]\\d+ )?(?:, [^0-9]*)? (?:[A-Z][a-z]? )?${called}`).exec(board)?.[1],
        /Place (?:so far )?(\d+|–)/.exec(own)?.[1],
        new RegExp(`${called}(?: vs \\w+ Player)?(?: ·)? (\\d+)(?:st|nd|rd|th)`).exec(pages.names)?.[1] ??
          '–',
        new RegExp(`(\\d+|–) (?:\\. )?(?:[A-Z][a-z]? )?${called}`).exec(pages.list)?.[1],
        /(\d+|–)(?:st|nd|rd|th)? of \d/.exec(shownEvent)?.[1],
      ].map(String),
    ];
  });
  return Object.fromEntries(await Promise.all(placed)) as Record<string, string[]>;
}

/** Asserts that all pages show these places, in the order of the ids. */
async function assertPlaces(slug: string, expected: string): Promise<void> {
  const places = await placesOf(slug);
  const wanted = expected.split(' ').map((each) => each.split(':'));
  for (const [id = '', place] of wanted)
    assert.deepEqual([id, ...(places[id] ?? [])], [id, ...Array.from({ length: 5 }, () => place)], slug);
}

const finished = { status: 'finished' };
const knockoutOf = (...members: string[]) => ({
  id: 'knockout',
  label: 'Top',
  type: 'bracket',
  rounds: Math.log2(members.length),
  members: members.map((participant, at) => ({ participant, seed: at + 1 })),
});
const swissBoard = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 };
const everybody = (...ids: string[]) => ({ participants: ids.map((id) => ({ id, player: id })) });

test('all pages of a finished tournament name the same places', async () => {
  const games: Game[] = [
    ['f1', 1, 1, 'ann', 'bo', 'ann'],
    ['f2', 1, 2, 'cy', 'di', 'cy'],
    ['f3', 2, 1, 'ann', 'cy', 'ann'],
    ['f4', 2, 2, 'bo', 'di', 'bo'],
  ];
  const final: Game = ['f5', 1, 1, 'ann', 'cy', 'cy'];
  await publishFeed(database.pool, [
    event('cupfinal', games, {
      ...finished,
      stages: [swissBoard, knockoutOf('ann', 'cy')],
      battles: [...games.map((game) => battleOf(game)), battleOf(final, 'knockout')],
      matches: [
        {
          stage: 'knockout',
          round: 1,
          position: 1,
          table: 1,
          players: ['ann', 'cy'],
          battle: 'f5',
          winner: 'cy',
        },
      ],
    }),
  ]);
  await assertPlaces('cupfinal', 'cy:1 ann:2 bo:3 di:4');
});

test('who won by a walkover has a place, and stands on the podium', async () => {
  const match = (round: number, position: number, players: string[], winner: string, battle?: string) => ({
    stage: 'knockout',
    round,
    position,
    table: position,
    players,
    winner,
    ...(battle !== undefined && { battle }),
  });
  await publishFeed(database.pool, [
    event('walked', [], {
      ...finished,
      ...everybody('ann', 'bo', 'cy', 'di'),
      stages: [knockoutOf('ann', 'bo', 'cy', 'di')],
      battles: [battleOf(['w1', 1, 1, 'ann', 'di', 'ann'], 'knockout')],
      matches: [
        match(1, 1, ['ann', 'di'], 'ann', 'w1'),
        match(1, 2, ['bo', 'cy'], 'cy'),
        match(2, 1, ['ann', 'cy'], 'cy'),
      ],
    }),
  ]);
  await assertPlaces('walked', 'cy:1 ann:2 bo:3 di:4');
  assert.match(
    await words('walked'),
    /Won by Cy Player .* 1 \. Cy Player .* 2 \. Ann Player .* 3 \. Bo Player/,
  );
  assert.match(await words('walked/screen'), /Cy Player/);
});

test('who never played has no place on any page, although the lot gave them a rank', async () => {
  const games: Game[] = [['v1', 1, 1, 'ann', 'bo', 'ann']];
  const all = everybody('ann', 'bo', 'cy', 'di');
  await publishFeed(database.pool, [event('never', games, { ...finished, ...all })]);
  await assertPlaces('never', 'ann:1 cy:– di:–');
  assert.doesNotMatch(await words('never'), /\d \. (Cy|Di) Player/);
  // A round that others have played gives no rank either.
  const taken: Game[] = [...games, ['v2', 1, 2, 'cy', 'di']];
  const past = { ...all, ...finished };
  await publishFeed(database.pool, [event('withdrawn', taken, past)]);
  assert.doesNotMatch(await words('withdrawn/players/cy'), /\d(st|nd|rd|th)/);
});

test('a recorded ranking gives places without any result', async () => {
  const ranks = ['di', 'cy', 'bo', 'ann'].map((participant, at) => ({ participant, rank: at + 1 }));
  await publishFeed(database.pool, [
    event('ranked', [], { ...finished, ...everybody('ann', 'bo', 'cy', 'di') }),
    { kind: 'ranking', tournament: 'ranked', stage: 'swiss', afterRound: 3, ranks },
  ]);
  await assertPlaces('ranked', 'di:1 cy:2 bo:3 ann:4');
  assert.match(await words('ranked'), / 1 \. Di Player .* 2 \. Cy Player/);
});

test('ranks after rounds belong to their rounds, even if the feed skips a number', async () => {
  const games: Game[] = [
    ['p1', 1, 1, 'ann', 'bo', 'bo'],
    ['p2', 1, 2, 'cy', 'di', 'cy'],
    ['p3', 2, 1, 'bo', 'cy', 'cy'],
    ['p4', 2, 2, 'ann', 'di', 'ann'],
    ['p5', 4, 1, 'cy', 'ann', 'ann'],
    ['p6', 4, 2, 'bo', 'di', 'bo'],
  ];
  await publishFeed(database.pool, [event('skipped', games)]);
  assert.match(await words('skipped/players/cy'), / 1 .*· 2nd 2 .*· 1st 4 .*· 3rd/);
  assert.doesNotMatch(await words('skipped'), /since round 3/);
  assert.match(await words('skipped'), /since round 2/);
});

test('somebody with two open games is at the same table on every page', async () => {
  const games: Game[] = [
    ['t1', 1, 1, 'ann', 'bo'],
    ['t2', 1, 2, 'cy', 'di'],
    ['t3', 1, 3, 'ann', 'cy'],
  ];
  await publishFeed(database.pool, [event('twice', games)]);
  assert.match(await words('twice'), /– T2 Cy Player|T2 Cy Player|Cy Player/);
  assert.match(await words('twice/players/cy'), / Table 2 Round 1 · vs Di Player/);
  const career = await (await fetch(`${server.siteUrl}/players/cy`)).text();
  assert.match(
    career.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '),
    /Table 2 Playing now , vs Di Player/,
  );
});

test('the screen does not call standings with a bye of the next round those after a round', async () => {
  const games: Game[] = [
    ['b1', 1, 1, 'ann', 'bo', 'ann'],
    ['b2', 1, 2, 'cy', 'di', 'cy'],
  ];
  const known = { ...everybody('ann', 'bo', 'cy', 'di', 'eve') };
  const bye = (round: number, participant: string) => ({ stage: 'swiss', round, participant, win: true });
  const first = { ...known, byes: [bye(1, 'eve')] };
  await publishFeed(database.pool, [event('bye', games, first)]);
  assert.match(await words('bye/screen'), /Standings after round 1/);
  await publishFeed(database.pool, [event('bye', games, { ...first, byes: [bye(1, 'eve'), bye(2, 'bo')] })]);
  assert.doesNotMatch(await words('bye/screen'), /Standings after round 1/);
});

test('the match for third place is not the final, whoever the organiser placed first', async () => {
  const members = ['ann', 'bo', 'cy', 'di'];
  const match = (round: number, position: number, players: string[], winner: string) => ({
    stage: 'knockout',
    round,
    position,
    table: position,
    players,
    winner,
  });
  await publishFeed(database.pool, [
    event('third', [], {
      ...finished,
      participants: members.map((id) => ({
        id,
        player: id,
        finalPlacement: 'cabd'.indexOf(id[0] ?? '') + 1,
      })),
      stages: [knockoutOf(...members)],
      matches: [
        match(1, 1, ['ann', 'di'], 'ann'),
        match(1, 2, ['bo', 'cy'], 'bo'),
        match(2, 1, ['ann', 'bo'], 'ann'),
        match(2, 2, ['cy', 'di'], 'cy'),
      ],
    }),
  ]);
  const page = await words('third');
  assert.match(page, /Won by Cy Player/);
  assert.doesNotMatch(
    page,
    /Third-place match Standings|Final Standings Bracket Rounds Players Final .*Match/,
  );
});

test('when the days of an event are over, no page says that one of its games is being played', async () => {
  const over: Game = ['o1', 1, 1, 'ann', 'bo', 'ann'];
  const open: Game = ['o2', 1, 2, 'cy', 'di'];
  const started = ([id, round, table, first, second]: Game, stage = 'swiss') => ({
    ...battleOf([id, round, table, first, second], stage),
    sides: [first, second].map((participant, index) => ({ participant, victoryPoints: 7 + index })),
  });
  const days = { startDate: '2025-11-14', endDate: '2025-11-15' };
  await publishFeed(database.pool, [
    event('left', [over, open], { ...days, battles: [battleOf(over), started(open)] }),
    event('leftcup', [], {
      ...days,
      ...everybody('ann', 'bo', 'cy', 'di'),
      stages: [knockoutOf('ann', 'bo', 'cy', 'di')],
      battles: [
        battleOf(['o3', 1, 1, 'ann', 'di', 'ann'], 'knockout'),
        started(['o4', 1, 2, 'bo', 'cy'], 'knockout'),
      ],
      matches: [
        {
          stage: 'knockout',
          round: 1,
          position: 1,
          table: 1,
          players: ['ann', 'di'],
          winner: 'ann',
          battle: 'o3',
        },
        { stage: 'knockout', round: 1, position: 2, table: 2, players: ['bo', 'cy'], battle: 'o4' },
      ],
    }),
  ]);
  for (const path of ['left', 'left/rounds', 'leftcup', 'leftcup/rounds', '../embed/tournaments/leftcup'])
    assert.doesNotMatch(await words(path), /Still playing|Playing|No result yet/, path);
  for (const slug of ['left', 'leftcup']) {
    assert.match(await words(`${slug}/rounds`), /Result missing Table 2/);
    assert.match(await words(`${slug}/players/cy`), /table 2 Result missing/);
  }
});

test('a round that the organiser has ranked is not in progress, although one of its results is missing', async () => {
  const games: Game[] = [
    ['m1', 1, 1, 'ann', 'bo', 'ann'],
    ['m2', 1, 2, 'cy', 'di'],
  ];
  const ranks = ['ann', 'bo'].map((participant, at) => ({ participant, rank: at + 1 }));
  await publishFeed(database.pool, [
    event('early', games),
    { kind: 'ranking', tournament: 'early', stage: 'swiss', afterRound: 1, ranks },
  ]);
  const page = await words('early');
  assert.match(page, /Leader after round 1: Ann Player .* Swiss After round 1 /);
  assert.doesNotMatch(page, /Provisional/);
  const screen = await words('early/screen');
  assert.match(screen, /Standings after round 1/);
  assert.doesNotMatch(screen, /Provisional/);
});

test('the final standings of a knockout do not claim the order of the tie-breaks', async () => {
  await publishFeed(database.pool, [
    event('overruled', [], {
      ...finished,
      ...everybody('ann', 'bo'),
      stages: [knockoutOf('ann', 'bo')],
      battles: [battleOf(['q1', 1, 1, 'ann', 'bo', 'ann'], 'knockout')],
      matches: [
        {
          stage: 'knockout',
          round: 1,
          position: 1,
          table: 1,
          players: ['ann', 'bo'],
          winner: 'bo',
          battle: 'q1',
        },
      ],
    }),
  ]);
  await assertPlaces('overruled', 'bo:1 ann:2');
  assert.match(await words('overruled'), /Order: Top \(by round reached\)\./);
});
