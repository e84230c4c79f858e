import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../../../src/convert/convert.ts';
import type { FeedRecord } from '../../../src/record/feed/records.ts';
import { createTestDatabase } from '../../support/database.ts';
import { publishFeed } from '../../support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../support/server.ts';
import { guestCup } from './guest-event.ts';

// Guests have a page in each event. The tests follow each other: at last one is erased, and one becomes a player.
const database = await createTestDatabase();
const { pool } = database;
const knockout = guestCup('final', 3, {
  open: false,
  status: 'finished',
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 },
    {
      id: 'knockout',
      label: 'Top 4',
      type: 'bracket',
      rounds: 2,
      members: ['p7', 'p2', 'p4', 'p3'].map((participant) => ({ participant })),
    },
  ],
  matches: [
    { stage: 'knockout', round: 1, position: 1, table: 1, players: ['p2', 'p4'], winner: 'p4' },
    { stage: 'knockout', round: 1, position: 2, table: 2, players: ['p7', 'p3'], winner: 'p7' },
    {
      stage: 'knockout',
      round: 2,
      position: 1,
      table: 1,
      players: ['p4', 'p7'],
      winner: 'p7',
      battle: 'drawn',
    },
  ],
});
knockout.battles?.push({
  id: 'drawn',
  stage: 'knockout',
  round: 2,
  table: 1,
  finished: true,
  sides: [
    { participant: 'p4', victoryPoints: 32, battlePoints: 8 },
    { participant: 'p7', victoryPoints: 32, battlePoints: 10.5 },
  ],
});
await publishFeed(pool, [
  { kind: 'player', id: 'bob', name: 'Bob Known' },
  { kind: 'player', id: 'may', name: 'May Tied' },
  {
    ...guestCup('tie', 0, { status: 'ongoing' }),
    participants: [
      { id: 'p1', player: 'may' },
      { id: 'p8', name: 'Hans Stein' },
    ],
    stages: [{ id: 'knockout', label: 'Top', type: 'bracket', rounds: 1 }],
    matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['p8', 'p1'] }],
  },
  guestCup('one', 2),
  guestCup('two', 3),
  guestCup('soon', 0, { status: 'planned' }),
  knockout,
  {
    ...guestCup('mixed', 1),
    participants: [
      { id: 'p1', player: 'bob' },
      { id: 'p8', name: 'Hal Stone' },
    ],
    byes: [],
    battles: [{ id: 'm1', stage: 'swiss', round: 1, sides: [{ participant: 'p1' }, { participant: 'p8' }] }],
  },
]);
const url = await database.loginAs('wartable_serve');
const server = await startTestServer(url);
const off = await startTestServer(url, { guests: false });

async function get(path: string, from = server) {
  const answer = await fetch(`${from.siteUrl}${path}`, { redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const page = async (path: string) => {
  const { status, text } = await get(path);
  assert.equal(status, 200, path);
  return text;
};

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Round, opponent, table and result, one line for each game. */
const gamesIn = (html: string) =>
  [...html.matchAll(/<tr><td class="rank">.*?<\/tr>/gs)].map(([row]) => plain(row));

test('the page of a guest has place, record, faction, the games and the list, and is not for search engines', async () => {
  const text = await page('/tournaments/two/players/p7');
  assert.match(text, /<meta name="robots" content="noindex">/);
  assert.match(text, /<h1><bdi>Gus Wanted<\/bdi><\/h1>/);
  assert.match(text, /<header class="title" data-follow="two\/p7">/);
  assert.match(text, /href="\/tournaments\/two\?entry=p7"/);
  assert.match(plain(text), /Faction 7 .*Playing now: table 1 vs Ada North/);
  assert.match(
    plain(text),
    /Place so far \d\w\w of 9 Won–drawn–lost 1–0–1 Battle points 3 Victory points 42/,
  );
  assert.deepEqual(gamesIn(text), [
    '1 Sam Twin Faction 2 2 lost 11–30 0',
    '2 Sam Twin Faction 4 2 won 31–11 3',
    '3 Ada North Faction 1 1 no result yet –',
  ]);
  assert.match(text, /<pre class="list"[^>]*>List of p7<\/pre>/);
  assert.match(plain(await page('/tournaments/one/players/p9')), /R Opponent .* 1 Bye – – 2 Cleo Marsh/);
  assert.match(plain(await page('/tournaments/soon/players/p7')), /No game is on record/);
});

test('two guests of one name have each their own games', async () => {
  assert.deepEqual(gamesIn(await page('/tournaments/two/players/p2')), [
    '1 Gus Wanted Faction 7 2 won 30–11 3',
    '2 Ada North Faction 1 1 lost 10–31 0',
    '3 Eve Hollow Faction 5 3 no result yet –',
  ]);
  assert.deepEqual(gamesIn(await page('/tournaments/two/players/p4')), [
    '1 Eve Hollow Faction 5 4 won 30–13 3',
    '2 Gus Wanted Faction 7 2 lost 11–31 0',
    '3 Cleo Marsh Faction 3 2 no result yet –',
  ]);
  // They meet in a match without a battle: only the id of the winner tells who went on.
  const games = async (entry: string) => gamesIn(await page(`/tournaments/final/players/${entry}`)).slice(3);
  assert.deepEqual(await games('p2'), ['1 Sam Twin Semi-final 1 lost']);
  assert.deepEqual(await games('p4'), [
    '1 Sam Twin Semi-final 1 won',
    '2 Gus Wanted Final · Faction 7 1 lost 32–32 8',
  ]);
  assert.deepEqual(await games('p7'), [
    '1 Cleo Marsh Semi-final 2 won',
    '2 Sam Twin Final · Faction 4 · Won on tie-break: battle points 10.5–8.0 1 won 32–32 10.5',
  ]);
  // Parts have headings over the whole table. A block in place of the cell would be as narrow as the first column.
  assert.match(
    await page('/tournaments/final/players/p4'),
    /<th colspan="4" scope="rowgroup"><span class="sub">/,
  );
  const bracket = await page('/tournaments/final?stage=knockout');
  const followed = [...bracket.matchAll(/class="side( won)?" data-follow="final\/(p[24])"/g)];
  assert.deepEqual(
    followed.map(([, won = '', entry]) => `${entry}${won}`),
    ['p2', 'p4 won', 'p4'],
  );
});

test('board, rounds, byes, bracket, podium, players, battle and sign-ups lead to it, and name it by slug and entry', async () => {
  const link = (slug: string, entry: string) => `href="/tournaments/${slug}/players/${entry}"`;
  const places: [path: string, ...texts: string[]][] = [
    ['/tournaments/two', link('two', 'p4'), '<tr data-follow="two/p4">', 'class="side" data-follow="two/p4"'],
    ['/tournaments/two/rounds?round=1', 'data-follow="two/p4"', link('two', 'p9')],
    ['/tournaments/two/rounds?by=player', 'data-follow="two/p4"', 'data-follow="two/p8"'],
    ['/tournaments/final?stage=knockout', 'class="side won" data-follow="final/p7"'],
    ['/tournaments/final', `1<span class="vh">. </span></span><a class="name" ${link('final', 'p7')}`],
    ['/tournaments/final/rounds', `Won by</span> <b><a class="name" ${link('final', 'p7')}`],
    ['/tournaments/two/now', `Leading:</span> <b><a class="name" ${link('two', 'p1')}`],
    ['/tournaments/two/participants', link('two', 'p4')],
    ['/tournaments/two/names', link('two', 'p2'), link('two', 'p4')],
    ['/battles/two-2-2', link('two', 'p4'), link('two', 'p7')],
    // The game that is played now, the list of battles, and a match without a battle.
    [
      '/players/bob',
      `vs <a class="name" ${link('mixed', 'p8')}`,
      `row"><a class="name" ${link('mixed', 'p8')}`,
    ],
    ['/players/may', `vs <a class="name" ${link('tie', 'p8')}`],
    ['/tournaments/soon', link('soon', 'p4')],
    ['/embed/tournaments/two', link('two', 'p4')],
    ['/tournaments/two?entry=p7', 'data-followed="two/p7"', '<tr class="mine" data-follow="two/p7">'],
    ['/tournaments/two/rounds?entry=p7&by=player', ' class="mine" data-follow="two/p7"'],
    ['/tournaments/final?stage=swiss&entry=p7', 'href="/tournaments/final/rounds?entry=p7"'],
  ];
  for (const [path, ...texts] of places) {
    const text = await page(path);
    for (const wanted of texts) assert.ok(text.includes(wanted), `${path}: ${wanted}`);
  }
  assert.match(await page('/tournaments/mixed'), /<tr data-follow="bob">.*<tr data-follow="mixed\/p8">/s);
});

test('an entry of the address marks nobody of another event, and what cannot be an id has no page', async () => {
  assert.doesNotMatch(await page('/tournaments/mixed?entry=p7'), /class="mine"/);
  assert.match(await page('/tournaments/mixed?entry=p8'), /class="mine" data-follow="mixed\/p8"/);
  for (const path of [
    'players/p99',
    'players/%00',
    'players/..%2fx',
    `players/${'a'.repeat(65)}`,
    'players/',
  ])
    assert.notEqual((await get(`/tournaments/two/${path}`)).status, 200, path);
  assert.equal((await get('/tournaments/two?entry=a/b')).status, 404);
  assert.equal((await get('/tournaments/nothing/players/p7')).status, 404);
  assert.equal((await get('/tournaments/two?entry=')).status, 200);
});

test('the address of a registered player leads to the page of the player', async () => {
  const { status, headers } = await get('/tournaments/mixed/players/p1');
  assert.deepEqual([status, headers.get('location')], [308, '/players/bob']);
});

/** Address, name, event and whether there is a day. */
const hitsIn = (text: string) =>
  [...text.matchAll(/<li><a href="([^"]+)"><span class="clamp hit">.*?<\/a><\/li>/gs)].map(
    ([item, address]) => `${address} ${plain(item).replace(/\d+ \w+ \d{4}$/, '(day)')}`,
  );

test('the search finds guests, each at one event with its day, and never merges a name', async () => {
  const found = await page('/search?q=twin+sam');
  assert.match(found, /<h2 id="guests">/);
  const twins = ['final', 'one', 'soon', 'two'].flatMap((slug) =>
    ['p2', 'p4'].map((entry) => `/tournaments/${slug}/players/${entry} Sam Twin Guests of ${slug} (day)`),
  );
  assert.deepEqual(hitsIn(found).toSorted(), twins);
  assert.deepEqual(hitsIn(await page('/search?q=Bob')), ['/players/bob Bob Known Guests of mixed']);
  assert.match(plain(await page('/search?q=nobody+here')), /Nothing here has a name with/);
  // Registered, or not published: no row.
  await publishFeed(pool, [guestCup('hidden', 1, { published: false })]);
  assert.equal(hitsIn(await page('/search?q=Hal+Stone')).length, 5);
});

test('the search of the API stays without guests', async () => {
  const { key } = await createTestKey(database);
  const answer = await server.get('/api/extra/v1/search?q=twin', bearer(key));
  assert.deepEqual(answer.json, { data: [], next: null });
});

test('a row is shown only under the name that its participant has now, whoever renamed or erased it', async () => {
  // As a publisher of the version before does: it knows nothing of these rows.
  const rename = (to: string) =>
    pool.query(`
      update published.participant set document = replace(document, '"Ida Ferry"', '${to}') where tournament = 'one';
      update published.tournament set revision = revision + 1 where slug = 'one';
      select pg_notify('wartable_published', '{"everything":true}')`);
  assert.equal(hitsIn(await page('/search?q=ferry')).length, 4);
  await rename('"Deleted player"');
  await eventually(async () => {
    const { text } = await get('/search?q=ferry');
    assert.deepEqual(
      hitsIn(text).map((hit) => hit.split('/')[2]),
      ['final', 'soon', 'two'],
    );
  });
});

test('everybody of an event is found by name, also where no board has them all', async () => {
  await publishFeed(pool, [
    {
      ...guestCup('cut', 0, { status: 'ongoing' }),
      stages: [{ id: 'knockout', label: 'Top', type: 'bracket', rounds: 2 }],
    },
    {
      ...guestCup('part', 0, { status: 'ongoing' }),
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1, members: [{ participant: 'p1' }] }],
    },
  ]);
  for (const slug of ['cut', 'part', 'soon']) {
    const links = [...(await page(`/tournaments/${slug}/names`)).matchAll(/href="[^"]*\/players\/(p\d)"/g)];
    assert.deepEqual(
      links.map(([, entry = '']) => entry).toSorted(),
      ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9'],
      slug,
    );
  }
});

test('GUESTS=off: no page, no id, no link, and `entry` is no parameter', async () => {
  assert.equal((await get('/tournaments/two/players/p7', off)).status, 404);
  const paths = ['', '/rounds?round=1', '/rounds?by=player', '/participants', '/names', '?entry=p7', '/now'];
  const all = [
    ...paths.map((path) => `/tournaments/two${path}`),
    '/tournaments/final?stage=knockout',
    '/tournaments/soon',
    '/battles/two-2-2',
    '/embed/tournaments/two',
    '/players/bob',
  ];
  for (const path of all) {
    const { status, text } = await get(path, off);
    assert.equal(status, 200);
    assert.match(text, /Sam Twin|Hal Stone/, path);
    assert.doesNotMatch(text, /players\/p\d|\/p\d"|data-follow(?!="bob")|entry=/, path);
  }
  assert.deepEqual(hitsIn((await get('/search?q=twin', off)).text), []);
  const tag = async (from: typeof server) => (await get('/tournaments/two', from)).headers.get('etag');
  assert.notEqual(await tag(server), await tag(off));
});

test('a guest who gets a player id: the old address leads to the player, and `entry` follows the player', async () => {
  await publishFeed(pool, [
    { kind: 'player', id: 'gus', name: 'Gus Known' },
    { kind: 'participant', tournament: 'two', id: 'p7', player: 'gus' },
  ]);
  await eventually(async () => {
    const { status, headers } = await get('/tournaments/two/players/p7');
    assert.deepEqual([status, headers.get('location')], [308, '/players/gus']);
  });
  assert.equal((await get('/players/gus')).status, 200);
  const board = await page('/tournaments/two?entry=p7');
  assert.match(board, /data-followed="gus".*<tr class="mine" data-follow="gus">/s);
  assert.doesNotMatch(board, /two\/p7/);
  const hits = hitsIn((await get('/search?q=gus+kn')).text);
  assert.deepEqual(hits, ['/players/gus Gus Known Guests of two']);
  assert.doesNotMatch((await get('/search?q=wanted')).text, /two\/players\/p7/);
});

test('a sheet that gets a player id later keeps the number, so the old address leads to the player', async () => {
  const sheets = (...players: string[]) => [
    sheet(
      'event.csv',
      'fact,value',
      'slug,sheet',
      'name,Sheet',
      'status,ongoing',
      'published,yes',
      'size,2000',
    ),
    sheet('players.csv', ...players),
    sheet('games.csv', 'round,player 1,player 2,vp 1,vp 2', '1,1,7,20,10'),
  ];
  const path = '/tournaments/sheet/players/p7';
  await publishSheets(sheets('no,name', '1,Ann Sheet', '7,Fred Later'));
  await eventually(async () => assert.match((await get(path)).text, /<h1><bdi>Fred Later/));
  await publishFeed(pool, [{ kind: 'player', id: 'fred', name: 'Fred Known' }]);
  await publishSheets(sheets('no,name,player id', '7,Fred Later,fred', '1,Ann Sheet,'));
  await eventually(async () => {
    const { status, headers } = await get(path);
    assert.deepEqual([status, headers.get('location')], [308, '/players/fred']);
  });
});

const sheet = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(lines.join('\n')) });

async function publishSheets(files: Parameters<typeof convert>[0]): Promise<void> {
  const { feed = '', refusals } = convert(files);
  assert.deepEqual(refusals, []);
  const records = feed.trim().split('\n');
  await publishFeed(
    pool,
    records.map((line) => JSON.parse(line) as FeedRecord),
  );
}

test('an erased guest has no page and no id on any page', async () => {
  await publishFeed(pool, [{ kind: 'participant', tournament: 'two', id: 'p4', erased: true }]);
  await eventually(async () => assert.equal((await get('/tournaments/two/players/p4')).status, 404));
  const paths = ['', '/rounds?round=1', '/rounds?by=player', '/participants', '/names', '?entry=p4', '/now'];
  for (const path of [...paths.map((each) => `/tournaments/two${each}`), '/battles/two-2-2']) {
    // The address itself stays in the script's attribute of the page that was asked for with it.
    const text = (await page(path)).replace(/ data-followed="[^"]*"/, '').replaceAll('?entry=p4', '');
    assert.doesNotMatch(text, /\/p4"|data-follow="two\/p4"/, path);
  }
  await eventually(async () => assert.doesNotMatch((await get('/search?q=twin')).text, /two\/players\/p4/));
  // The other one of this name stays.
  assert.match((await get('/search?q=twin')).text, /two\/players\/p2/);
  assert.deepEqual(gamesIn(await page('/tournaments/two/players/p2')).length, 3);
});

test('after the first stage, a place so far is the one in its stage', async () => {
  const label = (id: 'knockout' | 'placement-swiss', members: string[]) => ({
    id,
    label: `The ${id}`,
    rounds: 1,
    members: members.map((participant) => ({ participant })),
  });
  const split = guestCup('split', 3, {
    open: false,
    stages: [
      { id: 'swiss', label: 'The Swiss', type: 'board', rounds: 3 },
      { ...label('knockout', ['p3', 'p7']), type: 'bracket' },
      { ...label('placement-swiss', ['p1', 'p2']), type: 'board' },
    ],
    matches: [{ stage: 'knockout', round: 1, position: 1, table: 1, players: ['p3', 'p7'] }],
  });
  const sides: [{ participant: string }, { participant: string }] = [
    { participant: 'p1' },
    { participant: 'p2' },
  ];
  split.battles?.push({
    id: 'split',
    stage: 'placement-swiss',
    round: 1,
    finished: true,
    winner: 'p1',
    sides,
  });
  await publishFeed(pool, [split]);
  const placeOf = async (entry: string) =>
    /Place(?: so far)? \w+ .*?(?= Won)/.exec(plain(await page(`/tournaments/split/players/${entry}`)))?.[0];
  assert.equal(await placeOf('p3'), 'Place so far 1st in The Swiss');
  assert.equal(await placeOf('p1'), 'Place so far 1st in The placement-swiss');
  await publishFeed(pool, [{ kind: 'tournament', slug: 'split', status: 'finished' }]);
  await eventually(async () => assert.equal(await placeOf('p1'), 'Place 3rd of 9'));
});
