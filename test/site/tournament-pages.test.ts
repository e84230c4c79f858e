import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';

const database = await createTestDatabase();

type Participant = NonNullable<TournamentRecord['participants']>[number];

const event = (fields: Partial<TournamentRecord> & { slug: string }): TournamentRecord => ({
  kind: 'tournament',
  published: true,
  name: `Event ${fields.slug}`,
  status: 'ongoing',
  battleSize: 2000,
  city: 'Aveiro',
  country: 'Portugal',
  startDate: '2026-03-14',
  endDate: '2099-03-15',
  ...fields,
});
const swiss = { id: 'swiss', label: 'Swiss <Stage>', type: 'board', rounds: 5 } as const;
const player = (id: string, name: string): FeedRecord => ({ kind: 'player', id, name });
const tieBreaks: TournamentRecord['tieBreaks'] = ['battlePoints', 'wins'];

// A finished event with 200 players: each of the first hundred beats one of the others, and nobody is tied.
const many = Array.from({ length: 200 }, (_, index) => index + 1);
const done = event({
  slug: 'done',
  status: 'finished',
  endDate: '2026-03-15',
  organizer: 'home',
  standingsLabel: 'Final table',
  tieBreaks,
  stages: [swiss],
  participants: many.map((each) => ({
    id: `e${each}`,
    player: `p_${each}`,
    faction: each % 40 === 0 ? 'Moth Parliament' : 'Lanternsworn',
  })),
  battles: many.slice(0, 100).map((each) => ({
    id: `done-${each}`,
    stage: 'swiss',
    round: 1,
    table: each,
    finished: true,
    winner: `e${each}`,
    sides: [
      { participant: `e${each}`, battlePoints: 400 - each, victoryPoints: 90 },
      { participant: `e${each + 100}`, battlePoints: 200 - each, victoryPoints: 60 },
    ],
  })),
});

// A running event, in the knockout after a group stage. Two guests have the same name.
const people = {
  A: ['Ann', 'Guest', 'Dora', 'Eve'],
  B: ['Bea', 'Guest', 'Cee'],
};
const registered = new Set(['Ann', 'Bea', 'Dora', 'Eve']);
const inGroups = Object.entries(people).flatMap(([group, names]) =>
  names.map((name, index): Participant => {
    const who = registered.has(name) ? { player: `p_${name}` } : { name };
    return { id: `${group}${index}`, ...who, group, faction: 'Lanternsworn', lot: index };
  }),
);
const bye = (round: number, participant: string) => ({ stage: 'swiss', round, participant, win: true });
const cut = ['A0', 'B0', 'B2', 'B1'];
const now = event({
  slug: 'now',
  organizer: 'home',
  groups: ['A', 'B'],
  tieBreaks,
  stages: [
    { ...swiss, grouped: true },
    {
      id: 'knockout',
      label: 'Top 4',
      type: 'bracket',
      rounds: 2,
      members: cut.map((participant) => ({ participant })),
    },
  ],
  participants: inGroups,
  byes: [bye(1, 'A0'), bye(2, 'B2')],
  battles: [
    {
      id: 'over',
      stage: 'swiss',
      round: 2,
      table: 2,
      finished: true,
      winner: 'A0',
      sides: [
        { participant: 'A0', victoryPoints: 20 },
        { participant: 'B0', victoryPoints: 11.5 },
      ],
    },
    {
      id: 'open',
      stage: 'swiss',
      round: 2,
      table: 7,
      sides: [{ participant: 'A2' }, { participant: 'A3' }],
    },
  ],
  matches: [
    { stage: 'knockout', round: 1, position: 1, table: 1, players: ['A0', 'B1'], winner: 'A0' },
    { stage: 'knockout', round: 1, position: 2, table: 2, players: ['B0', 'B2'] },
    { stage: 'knockout', round: 2, position: 1, table: 1, players: ['A0'] },
  ],
});

// A feed contained round 10,000 by mistake.
const long = event({
  slug: 'long',
  stages: [swiss],
  participants: ['Dora', 'Eve'].map((name) => ({ id: name, player: `p_${name}` })),
  battles: [
    {
      id: 'long',
      stage: 'swiss',
      round: 10_000,
      sides: [{ participant: 'Dora' }, { participant: 'Eve' }],
    },
  ],
});

// A planned event with 250 players who have handed in lists.
const soon = event({
  slug: 'soon',
  status: 'planned',
  stages: [swiss],
  participants: Array.from({ length: 250 }, (_, index): Participant => {
    // The lists are as varied as real ones: some hundreds of units, and their points.
    const lines = Array.from({ length: 80 }, (__, line) => {
      const unit = (index * 7919 + line * 104_729) % 997;
      return `${(unit % 19) + 1} Wardens of the ${(unit * 31_337).toString(36)} (${(unit % 40) * 10})`;
    });
    const name = `Name ${String(index).padStart(3, '0')}`;
    return {
      id: `secret-${index}`,
      name,
      club: index === 1 ? 'home' : null,
      dropped: index === 3,
      list: {
        faction: 'Lanternsworn',
        subFaction: '',
        points: 2000,
        battleTacticCards: [],
        text: lines.join('\n').slice(0, 1_800),
      },
    };
  }),
});

await publishFeed(database.pool, [
  { kind: 'club', slug: 'home', name: 'Home & <Away>' },
  ...many.map((each) => player(`p_${each}`, `Player ${each}`)),
  ...[...registered].map((name) => player(`p_${name}`, name)),
  done,
  now,
  long,
  soon,
]);

const server = await startTestServer(await database.loginAs('wartable_serve'));

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.siteUrl}${path}`, { headers });
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' };
}

const size = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

/** Returns the words of a page, without its markup. */
const words = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('a finished tournament begins with the merged table and its podium, and has a page for each stage', async () => {
  const page = await get('/tournaments/done');
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1><bdi>Event done<\/bdi><\/h1>/);
  assert.match(page.text, /"@type":"SportsEvent","name":"Event done".*"name":"Home & \\u003cAway>"/);
  assert.match(page.text, /<p class="state"><b>Won by <bdi>Player 1<\/bdi><\/b><\/p>/);
  assert.match(
    page.text,
    /<ol class="podium">.*Player 1<.*Player 2<.*Player 3<.*<\/ol>\n+<nav class="tabs"/s,
  );
  assert.match(page.text, /<a href="\/clubs\/home"><bdi>Home &amp; &lt;Away&gt;<\/bdi><\/a>/);
  assert.match(page.text, /aria-current="page"><bdi>Final table</);
  assert.match(words(page.text), / 1 La Player 1 Lanternsworn 1–0–0 \+30 \+30 90 399( decided the order)? /);
  assert.match(
    words(page.text),
    / 200 MP Player 200 Moth Parliament 0–0–1 −30 −30 60 100( decided the order)? /,
  );
  assert.match(
    words(page.text),
    /Order: battle points, wins, drawing lots\..* Factions played La Lanternsworn 3–0–2 195 players MP Moth Parliament 2–0–3 5 players /,
  );
  assert.doesNotMatch(page.text, /data-tag/);
  const stage = await get('/tournaments/done?stage=swiss');
  assert.match(words(stage.text), / Won by Player 1 .* 200 MP Player 200 Moth Parliament/);
  assert.match(
    stage.text,
    /<link rel="canonical" href="https:\/\/wartable\.example\/tournaments\/done\?stage=swiss">/,
  );
  assert.doesNotMatch(stage.text, /podium/);
  assert.match(page.text, /<li class="few"><i [^>]*>MP<\/i><span><span class="clamp"><bdi>Moth Parliament</);
  for (const tab of ['', '?stage=swiss', '/rounds', '/participants']) {
    const { text } = await get(`/tournaments/done${tab}`);
    assert.match(text, /<a href="\/tournaments\/done#factions">Factions<\/a>/, tab);
  }
});

test('what does not exist is not found: tournaments, stages, rounds and pages', async () => {
  const unknown = [
    '/tournaments/none',
    '/tournaments/None',
    '/tournaments/done?stage=knockout',
    '/tournaments/done?stage=',
    '/tournaments/done?stage=swiss%27--',
    '/tournaments/none/rounds',
    '/tournaments/now/rounds?stage=standings',
    '/tournaments/now/rounds?stage=swiss&round=3',
    ...['0', '-1', '1.5', '99999', 'x', ''].map((round) => `/tournaments/now/rounds?round=${round}`),
    '/tournaments/none/participants',
    ...['0', '50', '300', '-100', '1e2', '100;', '9999999900', 'x'].map(
      (after) => `/tournaments/soon/participants?after=${after}`,
    ),
  ];
  const gone = await get('/tournaments/none');
  for (const path of unknown) {
    const page = await get(path);
    assert.equal(page.status, 404, path);
    assert.equal(page.text, gone.text, path);
  }
});

test('a running tournament carries the tag that its next poll sends', async () => {
  const page = await get('/tournaments/now');
  assert.match(
    page.text,
    /<p class="state"><b class="live">Semi-finals<\/b><span>1 of 2 results in<\/span><\/p>/,
  );
  const tag =
    /<main id="main" class="event" data-tag="([^"]+)">/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  assert.equal(tag, page.etag);
  assert.equal((await get('/tournaments/now', { 'if-none-match': tag })).status, 304);
  assert.equal((await get('/tournaments/now?stage=swiss', { 'if-none-match': tag })).status, 200);
  assert.equal((await get('/tournaments/done', { 'if-none-match': tag })).status, 200);
});

test('a poll reads no document while the revisions stay, and sees a change of the club', async () => {
  const cold = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 0 });
  const ask = async (path: string, tag: string) =>
    (await fetch(`${cold.siteUrl}${path}`, { headers: { 'if-none-match': tag } })).status;
  for (const path of ['/tournaments/now', '/tournaments/now/rounds', '/embed/tournaments/now']) {
    const tag = (await fetch(`${cold.siteUrl}${path}`)).headers.get('etag') ?? '';
    await database.pool.query(
      `update published.tournament set document = 'broken ' || document where slug = 'now'`,
    );
    assert.equal(await ask(path, tag), 304);
    assert.equal(await ask(path, '"another"'), 503);
    await database.pool.query(
      `update published.tournament set document = substr(document, 8) where slug = 'now'`,
    );
    assert.equal(await ask(path, '"another"'), 200);
    await database.pool.query(`update published.club set revision = revision + 1 where slug = 'home'`);
    assert.equal(await ask(path, tag), 200);
  }
  // The page itself is polled, so one answer contains everything.
  assert.equal(await ask('/tournaments/now/now', ''), 404);
});

test('groups have tables of their own, and an edge for who went through', async () => {
  const { text } = await get('/tournaments/now?stage=swiss');
  assert.deepEqual(
    [
      ...text.matchAll(
        /<h3 id="g\d"><bdi>(\w)<\/bdi><\/h3><span class="sub"[^>]*>[^<]*<\/span><\/div>\n<table class="board">/g,
      ),
    ].map(([, name]) => name),
    ['A', 'B'],
  );
  const through = [...text.matchAll(/<tr class="thru"[^>]*>.*?<bdi>(.*?)<\/bdi>/g)].map(([, name]) => name);
  assert.deepEqual(new Set(through), new Set(['Ann', 'Bea', 'Cee', 'Guest']));
  assert.match(words(text), /A coloured edge marks the players who went through to Top 4 \./);
});

test('a round shows who has no result first, then results and byes', async () => {
  const latest = words((await get('/tournaments/now/rounds')).text);
  assert.match(
    latest,
    /Top 4 , Semi-finals .* Still playing Table 2 La Bea La Cee Match 2 Results Table 1 La Ann won La Guest lost Match 1/,
  );
  const { text } = await get('/tournaments/now/rounds?stage=swiss');
  assert.match(
    words(text),
    /Swiss &lt;Stage&gt; , round 2 .*1 of 2 results in .*Result missing Table 7 La Dora La Eve Results Table 2 La Ann won 20\.0 La Bea lost 11\.5 Byes Cee/,
  );
  assert.match(text, /<a class="card missing" href="\/battles\/open">/);
  assert.match(
    words((await get('/tournaments/now/rounds?stage=swiss&round=1')).text),
    /0 of 0 results in .* Byes Ann/,
  );
});

test('a round number that is wrong by far makes no page of thousands of links', async () => {
  const roundsOf = (text: string) =>
    [...text.matchAll(/&amp;round=([0-9]+)"/g)].map(([, round]) => Number(round));
  const last = roundsOf((await get('/tournaments/long/rounds')).text);
  assert.deepEqual([last.length, ...last.slice(0, 2), last.at(-1)], [22, 1, 9980, 10_000]);
  const middle = roundsOf((await get('/tournaments/long/rounds?round=50')).text);
  assert.deepEqual([middle.length, ...middle.slice(0, 2), ...middle.slice(-2)], [23, 1, 40, 60, 10_000]);
});

test('a planned tournament shows who signed up, at most 100, and the way to the others', async () => {
  const { text } = await get('/tournaments/soon');
  assert.match(
    words(text),
    / 14 March 2026 250 signed up .* Signed up La Name 000 Lanternsworn List of Name 000 La Name 001 .* Name 099 Lanternsworn List of Name 099 All 250 players/,
  );
  assert.doesNotMatch(text, /Name 100|class="board"/);
  const files = async (path: string) => (await get(path)).text.match(/\w+\.csv/g);
  assert.deepEqual(await files('/tournaments/soon'), ['participants.csv']);
  assert.deepEqual(await files('/tournaments/now'), ['standings.csv', 'participants.csv', 'battles.csv']);
  assert.match(words((await get('/tournaments/soon/rounds')).text), /No round of this stage has begun yet/);
});

test('players come 100 a page, each once, with the way to their lists and no id of the feed but in addresses of guests', async () => {
  const seen: string[] = [];
  for (const query of ['', '?after=100', '?after=200']) {
    const { status, text } = await get(`/tournaments/soon/participants${query}`);
    assert.equal(status, 200);
    seen.push(...[...text.matchAll(/<bdi>(Name \d+)<\/bdi>/g)].map(([, name]) => name ?? ''));
    const addresses =
      / (?:href="\/tournaments\/soon\/players\/secret-\d+(?:#list)?"|data-follow="soon\/secret-\d+")/g;
    assert.doesNotMatch(text.replaceAll(addresses, ''), /secret/);
    const lists = [...text.matchAll(/ href="([^"]+)#list"/g)].map(([, address]) => address);
    assert.equal(new Set(lists).size, query === '?after=200' ? 50 : 100);
    assert.ok(size(text) <= 80_000, `${size(text)} bytes`);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 250 }, (_, index) => `Name ${String(index).padStart(3, '0')}`),
  );
  const { text } = await get('/tournaments/soon/participants');
  assert.match(text, /<a href="\/clubs\/home"><bdi>Home &amp; &lt;Away&gt;<\/bdi><\/a>/);
  assert.match(text, /<bdi>Name 003<\/bdi><\/a><span class="sub apart">[^\n]*<span>Dropped out<\/span>/);
});

test('the page follows the name of a club that it shows', async () => {
  await get('/tournaments/soon/participants');
  await database.pool.query(`
    update published.club set document = replace(document, 'Home', 'Moved'), revision = revision + 1 where slug = 'home';
    select pg_notify('wartable_published', json_build_object('moved', json_build_object('club',
      json_build_object('home', revision::text)))::text) from published.club where slug = 'home'`);
  for (const path of ['/tournaments/soon/participants', '/tournaments/done']) {
    await eventually(async () => assert.match((await get(path)).text, /Moved &amp; &lt;Away&gt;/));
  }
});

test('the standings of 200 players take at most 25 kB and four requests', async () => {
  const { text } = await get('/tournaments/done');
  assert.ok(size(text) <= 25_000, `${size(text)} bytes`);
  assert.ok((text.match(/<(link rel="(icon|stylesheet)"|script src|img)/g) ?? []).length <= 3);
});
