import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../../src/convert/convert.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { guestCup } from './guest-event.ts';

// Guests have a page in each event. Each test continues from the previous one; at the end one guest is
// erased, and another becomes a player.
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
  {
    ...guestCup('one', 2),
    adjustments: [{ stage: 'swiss', participant: 'p3', battlePoints: -1, reason: 'Late list' }],
  },
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

const wayOf = async (path: string, from = server) => {
  const { status, headers } = await get(path, from);
  return [status, headers.get('location')];
};

/** Returns round, opponent, table and result, one line for each game. */
const gamesIn = (html: string) => [...html.matchAll(/<li><b>\d+<\/b>.*?<\/li>/gs)].map(([row]) => plain(row));

test('the page of a guest has place, record, faction, the games and the list, and is not for search engines', async () => {
  const text = await page('/tournaments/two/players/p7');
  assert.match(text, /<meta name="robots" content="noindex">/);
  assert.match(text, /<h1 data-follow="two\/p7"><bdi>Gus Wanted<\/bdi><\/h1>/);
  assert.match(text, /href="\/tournaments\/two"><bdi>Guests of two</);
  assert.match(
    plain(text),
    /Faction 7 .*Place so far \d\w\w of 9 4th after round 2 W–D–L 1–0–1 BP 3 VP 42 ± \+1 Table 1 Round 3 · vs Ada North Faction 1 · both lists/,
  );
  assert.deepEqual(gamesIn(text), [
    '1 Sam Twin Faction 2 · table 2 lost 11–30 0 BP · 8th',
    '2 Sam Twin Faction 4 · table 2 won 31–11 3 BP · 4th',
    '3 Ada North Faction 1 · table 1 playing now',
  ]);
  assert.match(text, /<pre class="list"[^>]*>List of p7<\/pre>/);
  assert.match(plain(await page('/tournaments/one/players/p9')), /Round by round 1 Bye .*2 Cleo Marsh/);
  assert.match(plain(await page('/tournaments/one/players/p3')), /BP \S+ −1 VP .* −1 BP: Late list/);
  assert.match(plain(await page('/tournaments/soon/players/p7')), /No games are on record/);
});

test('two guests of one name have each their own games', async () => {
  assert.deepEqual(gamesIn(await page('/tournaments/two/players/p2')), [
    '1 Gus Wanted Faction 7 · table 2 won 30–11 3 BP · 2nd',
    '2 Ada North Faction 1 · table 1 lost 10–31 0 BP · 5th',
    '3 Eve Hollow Faction 5 · table 3 playing now',
  ]);
  assert.deepEqual(gamesIn(await page('/tournaments/two/players/p4')), [
    '1 Eve Hollow Faction 5 · table 4 won 30–13 3 BP · 4th',
    '2 Gus Wanted Faction 7 · table 2 lost 11–31 0 BP · 6th',
    '3 Cleo Marsh Faction 3 · table 2 playing now',
  ]);
  // They meet in a match without a battle, so only the winner's id says who advanced.
  const games = async (entry: string) => gamesIn(await page(`/tournaments/final/players/${entry}`)).slice(3);
  assert.deepEqual(await games('p2'), ['1 Sam Twin Semi-final · Faction 4 · table 1 lost']);
  assert.deepEqual(await games('p4'), [
    '1 Sam Twin Semi-final · Faction 2 · table 1 won',
    '2 Gus Wanted Final · Faction 7 · table 1 · Gus Wanted won the match. Won on tie-break: battle points 10.5–8.0 drew 32–32 8 BP',
  ]);
  assert.deepEqual(await games('p7'), [
    '1 Cleo Marsh Semi-final · Faction 3 · table 2 won',
    '2 Sam Twin Final · Faction 4 · table 1 · Gus Wanted won the match. Won on tie-break: battle points 10.5–8.0 drew 32–32 10.5 BP',
  ]);
  assert.match(
    await page('/tournaments/final/players/p4'),
    /<h3><bdi>Swiss<\/bdi><\/h3>\s*<ol class="path">.*<h3><bdi>Top 4<\/bdi><\/h3>\s*<ol class="path">/s,
  );
  const bracket = await page('/tournaments/final?stage=knockout');
  const shown = [...bracket.matchAll(/class="side" data-follow="final\/(p[24])">.*?<bdi( class="won")?>/g)];
  assert.deepEqual(
    shown.map(([, entry = '', won]) => `${entry}${won === undefined ? '' : ' won'}`),
    ['p2', 'p4 won', 'p4'],
  );
});

test('board, rounds, byes, bracket, podium, players, battle and sign-ups lead to it, and name it by slug and entry', async () => {
  const link = (slug: string, entry: string) => `href="/tournaments/${slug}/players/${entry}"`;
  const places: [path: string, ...texts: string[]][] = [
    ['/tournaments/two', link('two', 'p4'), '<tr data-follow="two/p4">', 'class="side" data-follow="two/p4"'],
    ['/tournaments/two/rounds?round=1', 'data-follow="two/p4"', link('two', 'p9')],
    ['/tournaments/two/rounds?by=player', 'data-follow="two/p4"', 'data-follow="two/p8"'],
    ['/tournaments/final?stage=knockout', 'class="side" data-follow="final/p7"'],
    // The podium is in another tab.
    ['/tournaments/final/rounds', 'Won by <bdi>Gus Wanted</bdi>', 'class="side" data-follow="final/p7"'],
    ['/tournaments/two/rounds', `Leader after round 2: <a class="name" ${link('two', 'p1')}`],
    ['/tournaments/two/participants', link('two', 'p4')],
    ['/tournaments/two/names', link('two', 'p2'), link('two', 'p4')],
    ['/battles/two-2-2', link('two', 'p4'), link('two', 'p7')],
    // These are the game that is being played, the list of battles, and a match without a battle.
    [
      '/players/bob',
      `vs</span><a class="name" ${link('mixed', 'p8')}`,
      `<span><a class="name" ${link('mixed', 'p8')}`,
    ],
    ['/players/may', `vs</span><a class="name" ${link('tie', 'p8')}`],
    ['/tournaments/soon', link('soon', 'p4')],
    ['/embed/tournaments/two', link('two', 'p4')],
    ['/tournaments/two/followed?entry=p7', 'class="side" data-follow="two/p7"'],
  ];
  for (const [path, ...texts] of places) {
    const text = await page(path);
    for (const wanted of texts) assert.ok(text.includes(wanted), `${path}: ${wanted}`);
  }
  const first = `<li class="first"><b>1<span class="vh">\\. </span></b><i [^>]*>Fa</i><span><a class="name" ${link('final', 'p7')}`;
  assert.match(await page('/tournaments/final'), new RegExp(first));
  assert.match(await page('/tournaments/mixed'), /<tr data-follow="bob">.*<tr data-follow="mixed\/p8">/s);
});

test('an entry of the address leads to nobody of another event, and what cannot be an id has no page', async () => {
  assert.deepEqual(await wayOf('/tournaments/mixed?entry=p7'), [308, '/tournaments/mixed']);
  assert.deepEqual(await wayOf('/tournaments/mixed?entry=p8'), [308, '/tournaments/mixed/players/p8']);
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

test('a registered player has a page in the event, too, which leads to the career', async () => {
  const text = await page('/tournaments/mixed/players/p1');
  assert.match(text, /<h1 data-follow="bob"><bdi>Bob Known</);
  assert.match(text, /<a href="\/players\/bob">All events played by <bdi>Bob Known</);
  assert.doesNotMatch(await page('/tournaments/mixed/players/p8'), /All events played by/);
});

/** Returns address, name and event of each hit, and whether there is a day. */
const hitsIn = (text: string) =>
  [
    ...text.matchAll(/<span class="title" data-follow="[^"]+"><a class="name" href="([^"]+)">.*?<\/li>/gs),
  ].map(([item, address]) => `${address} ${plain(item).replace(/\d+ \w+ \d{4}$/, '(day)')}`);

test('the search finds guests, each at one event with its day, and never merges a name', async () => {
  const found = await page('/search?q=twin+sam');
  assert.match(found, /<h2 id="guests">/);
  const twins = ['final', 'one', 'soon', 'two'].flatMap((slug) =>
    ['p2', 'p4'].map((entry) => `/tournaments/${slug}/players/${entry} Sam Twin Guests of ${slug} (day)`),
  );
  assert.deepEqual(hitsIn(found).toSorted(), twins);
  assert.deepEqual(hitsIn(await page('/search?q=Bob')), ['/players/bob Bob Known Guests of mixed']);
  assert.match(plain(await page('/search?q=nobody+here')), /We found no name that contains/);
  // Neither registered players nor unpublished events give a row.
  await publishFeed(pool, [guestCup('hidden', 1, { published: false })]);
  assert.equal(hitsIn(await page('/search?q=Hal+Stone')).length, 5);
});

test('the search of the API stays without guests', async () => {
  const { key } = await createTestKey(database);
  const answer = await server.get('/api/extra/v1/search?q=twin', bearer(key));
  assert.deepEqual(answer.json, { data: [], next: null });
});

test('a row is shown only under the name that its participant has now, whoever renamed or erased it', async () => {
  // This renames by hand, so the rows of the search stay.
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

test('GUESTS=off: no page, no id, no link and no card of a guest, while registered players keep theirs', async () => {
  assert.equal((await get('/tournaments/two/players/p7', off)).status, 404);
  assert.equal((await get('/tournaments/two/followed?entry=p7', off)).status, 404);
  assert.deepEqual(await wayOf('/tournaments/two?entry=p7', off), [308, '/tournaments/two']);
  const bob = await get('/tournaments/mixed/players/p1', off);
  assert.equal(bob.status, 200);
  assert.match(
    bob.text,
    /<h1 data-follow="bob"><bdi>Bob Known<.*<section class="card big".*<span class="clamp"><bdi>Hal Stone</s,
  );
  assert.match((await get('/tournaments/mixed', off)).text, /href="\/tournaments\/mixed\/players\/p1"/);
  assert.match((await get('/tournaments/mixed/followed?player=bob', off)).text, /data-follow="bob"/);
  assert.deepEqual(await wayOf('/tournaments/mixed?player=bob', off), [308, '/tournaments/mixed/players/p1']);
  const paths = ['', '/rounds?round=1', '/rounds?by=player', '/participants', '/names'];
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
    assert.doesNotMatch(text, /players\/p[2-9]|\/p[2-9]"|data-follow(?!="bob")|entry=/, path);
  }
  assert.deepEqual(hitsIn((await get('/search?q=twin', off)).text), []);
  const tag = async (from: typeof server) => (await get('/tournaments/two', from)).headers.get('etag');
  assert.notEqual(await tag(server), await tag(off));
});

test('a guest who gets a player id keeps the page, which is the one of the player then', async () => {
  await publishFeed(pool, [
    { kind: 'player', id: 'gus', name: 'Gus Known' },
    { kind: 'participant', tournament: 'two', id: 'p7', player: 'gus' },
  ]);
  await eventually(async () =>
    assert.match(await page('/tournaments/two/players/p7'), /<h1 data-follow="gus"><bdi>Gus Known</),
  );
  assert.equal((await get('/players/gus')).status, 200);
  const board = await page('/tournaments/two');
  assert.match(board, /<tr data-follow="gus">/);
  assert.doesNotMatch(board, /"two\/p7/);
  for (const query of ['entry=p7', 'player=gus']) {
    assert.deepEqual(await wayOf(`/tournaments/two?${query}`), [308, '/tournaments/two/players/p7']);
    assert.match(await page(`/tournaments/two/followed?${query}`), /data-follow="gus"/);
  }
  const hits = hitsIn((await get('/search?q=gus+kn')).text);
  assert.deepEqual(hits, ['/players/gus Gus Known Guests of two']);
  assert.doesNotMatch((await get('/search?q=wanted')).text, /two\/players\/p7/);
});

test('a sheet that gets a player id later keeps the number, so the old address stays', async () => {
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
  await eventually(async () =>
    assert.match((await get(path)).text, /<h1 data-follow="sheet\/p7"><bdi>Fred Later/),
  );
  await publishFeed(pool, [{ kind: 'player', id: 'fred', name: 'Fred Known' }]);
  await publishSheets(sheets('no,name,player id', '7,Fred Later,fred', '1,Ann Sheet,'));
  await eventually(async () =>
    assert.match(await page(path), /<h1 data-follow="fred"><bdi>Fred Known<.*<a href="\/players\/fred">/s),
  );
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
  const paths = ['', '/rounds?round=1', '/rounds?by=player', '/participants', '/names'];
  for (const path of [...paths.map((each) => `/tournaments/two${each}`), '/battles/two-2-2'])
    assert.doesNotMatch(await page(path), /\/p4"/, path);
  assert.deepEqual(await wayOf('/tournaments/two?entry=p4'), [308, '/tournaments/two']);
  assert.doesNotMatch((await get('/tournaments/two/followed?entry=p4')).text, /two\/p4/);
  await eventually(async () => assert.doesNotMatch((await get('/search?q=twin')).text, /two\/players\/p4/));
  // The other guest with this name stays.
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
    /Place(?: so far)? \w+ .*?(?= W–D–L)/.exec(plain(await page(`/tournaments/split/players/${entry}`)))?.[0];
  assert.equal(await placeOf('p3'), 'Place so far 1st in The Swiss');
  assert.equal(await placeOf('p1'), 'Place so far 1st in The placement-swiss');
  await publishFeed(pool, [{ kind: 'tournament', slug: 'split', status: 'finished' }]);
  await eventually(async () => assert.equal(await placeOf('p1'), 'Place 3rd of 9'));
});
