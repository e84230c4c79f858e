import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BoardRow, Standings } from '../../../src/contract/standings.ts';
import type { Play } from '../../../src/site/bracket/tree.ts';
import { createTestDatabase } from '../../support/database.ts';
import {
  addClub,
  addTournament,
  battle,
  club,
  insertRows,
  noRows,
  participant,
  tournament,
} from '../../support/published-world.ts';
import { eventually, startTestServer } from '../../support/server.ts';
import { drawnKnockout } from './drawn-brackets.ts';

const database = await createTestDatabase();
const rows = noRows();
const plays: { tournament: string; stage: string; document: string; play: string }[] = [];

addClub(rows, club({ slug: 'home', name: 'Home & <Away>' }));

const row = (rank: number, fields: Partial<BoardRow> = {}): BoardRow => ({
  rank,
  player: `Player ${rank}`,
  playerId: `p_${rank}`,
  faction: rank % 3 === 0 ? 'Moth Parliament' : 'Lanternsworn',
  battlePoints: 40 - rank / 2,
  wins: 3,
  draws: 1,
  losses: 1,
  victoryPoints: 90,
  victoryPointsDiff: 7 - rank,
  ...fields,
});

function addStandings(slug: string, { stage, data }: Standings, play: Play): void {
  const document = JSON.stringify({ stage, data });
  plays.push({ tournament: slug, stage: stage.id, document, play: JSON.stringify(play) });
}

const swiss = { id: 'swiss', name: 'Swiss <Stage>', type: 'board', rounds: 5 } as const;
const cut = { id: 'knockout', name: 'Top 4', type: 'bracket', rounds: 2, players: 4 } as const;
const merged = { id: 'standings', name: 'Final table', type: 'board' } as const;
const board = ({ rounds: _rounds, ...stage }: typeof swiss, data: BoardRow[]) => ({ stage, data });

// Finished, with 200 players.
const many = Array.from({ length: 200 }, (_, index) => row(index + 1));
addTournament(
  rows,
  tournament({ slug: 'done', status: 'finished', organizer: 'home', players: 200, stages: [swiss, merged] }),
  [],
);
addStandings('done', board(swiss, many.toReversed()), { begun: 5, byes: [] });
addStandings(
  'done',
  { stage: merged, data: many },
  {
    begun: 0,
    byes: [],
    tieBreaks: ['battlePoints', 'wins'],
    factions: [
      { faction: 'Lanternsworn', players: 134, wins: 30, draws: 2, losses: 20 },
      { faction: 'Moth Parliament', players: 66, wins: 5, draws: 1, losses: 3 },
    ],
  },
);

// Running, in the knockout after a group stage. Two guests share a name.
const groups = [
  row(1, { group: 'A', player: 'Ann', playerId: 'p_Ann' }),
  row(2, { group: 'A', player: 'Guest', playerId: null }),
  row(1, { group: 'B', player: 'Bea', playerId: 'p_Bea' }),
  row(2, { group: 'B', player: 'Guest', playerId: null }),
  row(3, { group: 'B', player: 'Cee', playerId: null }),
];
addTournament(
  rows,
  tournament({ slug: 'now', status: 'ongoing', organizer: 'home', stages: [swiss, cut] }),
  [],
);
const { data: matches, play: matchPlay } = drawnKnockout(['Ann', 'Bea', 'Cee', 'Guest'], 1);
for (const match of matchPlay.matches ?? []) {
  match.playerIds = match.playerIds.map((id) => (id === 'p_Cee' || id === 'p_Guest' ? null : id));
}
addStandings('now', board(swiss, groups), {
  begun: 2,
  byes: [
    { round: 1, player: 'Ann', playerId: 'p_Ann' },
    { round: 2, player: 'Cee', playerId: null },
  ],
});
const { rounds: _rounds, players: _players, ...shownCut } = cut;
addStandings('now', { stage: shownCut, data: matches }, { ...matchPlay, begun: 1 });

const side = (player: string, victoryPoints: number | null, outcome: 'win' | 'loss' | null) => ({
  ...battle('any').players[0],
  player,
  playerId: `p_${player}`,
  victoryPoints,
  outcome,
  list: null,
  rounds: [],
});
const pairings = [
  { id: 'over', table: 2, sides: [side('Ann', 20, 'win'), side('Bea', 11.5, 'loss')] },
  { id: 'open', table: 7, sides: [side('Dora', null, null), side('Eve', null, null)] },
].map(({ id, table, sides }) => {
  const { url: _url, ...document } = battle(id, { tournament: 'now', round: 2, players: sides as never });
  return {
    id,
    tournament: 'now',
    date: '2026-03-14',
    stage_order: 1,
    round: 2,
    players: [],
    clubs: [],
    revision: 1,
    document: JSON.stringify({ ...document, url: '' }).slice(0, -2),
    table_number: table,
  };
});

// A feed named round 10,000 by mistake.
addTournament(rows, tournament({ slug: 'long', status: 'ongoing', stages: [swiss] }), []);
addStandings('long', board(swiss, []), { begun: 10_000, byes: [] });

// Planned, with 250 players who handed in lists.
addTournament(rows, tournament({ slug: 'soon', status: 'planned', players: 250, stages: [swiss] }), []);
addStandings('soon', board(swiss, []), { begun: 0, byes: [] });
for (let index = 0; index < 250; index += 1) {
  // As varied as real lists: units out of some hundreds, and their points.
  const lines = Array.from({ length: 80 }, (_, line) => {
    const unit = (index * 7919 + line * 104_729) % 997;
    return `${(unit % 19) + 1} Wardens of the ${(unit * 31_337).toString(36)} (${(unit % 40) * 10})`;
  });
  rows.participant.push({
    tournament: 'soon',
    sort_key: String(index).padStart(3, '0'),
    id: `secret-${index}`,
    document: JSON.stringify(
      participant({
        player: `Name ${index}`,
        playerId: index === 0 ? null : `p_${index}`,
        club: index === 1 ? 'home' : index === 2 ? 'unpublished' : null,
        dropped: index === 3,
        list: {
          faction: 'Lanternsworn',
          subFaction: '',
          points: 2000,
          battleTacticCards: [],
          text: lines.join('\n').slice(0, 1_800),
        },
      }),
    ),
  });
}
await insertRows(database.pool, rows);
await insertRows(database.pool, { standings: plays, battle: pairings });
await insertRows(database.pool, { battle_detail: pairings.map(({ id, document }) => ({ id, document })) });

const server = await startTestServer(await database.loginAs('wartable_serve'));

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.siteUrl}${path}`, { headers });
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' };
}

const size = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

/** The words of a page, without its markup. */
const words = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('a finished tournament begins with the merged table and its podium, and has a page for each stage', async () => {
  const page = await get('/tournaments/done');
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1><bdi>Event done<\/bdi><\/h1>/);
  assert.match(page.text, /"@type":"SportsEvent","name":"Event done".*"name":"Home & \\u003cAway>"/);
  assert.match(
    page.text,
    /<ol class="podium">.*Player 1<.*Player 2<.*Player 3<.*<\/ol>\n<nav class="tabs slide"/s,
  );
  assert.match(page.text, /<a href="\/clubs\/home"><bdi>Home &amp; &lt;Away&gt;<\/bdi><\/a>/);
  assert.match(page.text, /aria-current="page"><bdi>Final table</);
  assert.match(words(page.text), / 1 Player 1 Lanternsworn 39\.5 3–1–1 90 \+6 /);
  assert.match(words(page.text), / 200 Player 200 Lanternsworn −60\.0 3–1–1 90 −193 /);
  assert.match(
    words(page.text),
    /Order: battle points, wins, lot\..* Factions played .* Lanternsworn 134 30–2–20 Moth Parliament 66 5–1–3/,
  );
  assert.doesNotMatch(page.text, /data-tag/);
  const stage = await get('/tournaments/done?stage=swiss');
  assert.match(words(stage.text), / Won by Player 1 .* 200 Player 200 Lanternsworn/);
  assert.match(
    stage.text,
    /<link rel="canonical" href="https:\/\/wartable\.example\/tournaments\/done\?stage=swiss">/,
  );
  assert.doesNotMatch(stage.text, /podium/);
  assert.match(page.text, /<tr class="few"><th scope="row"><bdi>Moth Parliament</);
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
  // The version before has published it: its rows do not say what is played.
  assert.match(page.text, /<span class="badge live">Running<\/span>/);
  assert.doesNotMatch(page.text, /class="now"/);
  const tag =
    /<main id="main" class="event" data-tag="([^"]+)" /.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? '';
  assert.equal(tag, page.etag);
  assert.equal((await get('/tournaments/now', { 'if-none-match': tag })).status, 304);
  assert.equal((await get('/tournaments/now?stage=swiss', { 'if-none-match': tag })).status, 200);
  assert.equal((await get('/tournaments/done', { 'if-none-match': tag })).status, 200);
});

test('a poll reads no document while the revisions stay, and sees a change of the club', async () => {
  const cold = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 0 });
  const ask = async (path: string, tag: string) =>
    (await fetch(`${cold.siteUrl}${path}`, { headers: { 'if-none-match': tag } })).status;
  for (const path of ['/tournaments/now', '/tournaments/now/rounds', '/tournaments/now/now']) {
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
    // The fragment does not show the club.
    assert.equal(await ask(path, tag), path.endsWith('/now/now') ? 304 : 200);
  }
});

test('groups have tables of their own, and an edge for who went through where the name tells it', async () => {
  const { text } = await get('/tournaments/now?stage=swiss');
  assert.deepEqual(
    [...text.matchAll(/<h3><bdi>(\w)<\/bdi><\/h3>\n<table class="board">/g)].map(([, name]) => name),
    ['A', 'B'],
  );
  const through = [...text.matchAll(/<tr class="through"[^>]*>.*?<bdi>(.*?)<\/bdi>/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(through, ['Ann', 'Bea', 'Cee']);
  assert.match(words(text), /The coloured edge marks who went through to Top 4 \./);
});

test('a round shows who has no result first, then results and byes', async () => {
  const latest = words((await get('/tournaments/now/rounds')).text);
  assert.match(
    latest,
    /Top 4 , Round of 4 .* No result yet Table 2 Bea Cee Match 2 Results Table 1 Ann won Guest lost Match 1/,
  );
  const { text } = await get('/tournaments/now/rounds?stage=swiss');
  assert.match(
    words(text),
    /Swiss &lt;Stage&gt; , round 2 .*1 of 2 results in .*No result yet Table 7 Dora Eve Results Table 2 Ann won 20\.0 Bea lost 11\.5 Byes Cee/,
  );
  assert.match(text, /<a class="match open" href="\/battles\/open">/);
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
    /Upcoming .* Signed up Name 0 Lanternsworn Name 1 .* Name 99 Lanternsworn All 250 players/,
  );
  assert.doesNotMatch(text, /Name 100|<table/);
  const files = async (path: string) => (await get(path)).text.match(/\w+\.csv/g);
  assert.deepEqual(await files('/tournaments/soon'), ['participants.csv']);
  assert.deepEqual(await files('/tournaments/now'), ['standings.csv', 'participants.csv', 'battles.csv']);
  assert.match(words((await get('/tournaments/soon/rounds')).text), /No round of this part has begun yet/);
});

test('players come 100 a page, each once, with lists to unfold and no id of the feed but in addresses of guests', async () => {
  const seen: string[] = [];
  for (const query of ['', '?after=100', '?after=200']) {
    const { status, text } = await get(`/tournaments/soon/participants${query}`);
    assert.equal(status, 200);
    seen.push(...[...text.matchAll(/<bdi>(Name \d+)<\/bdi>/g)].map(([, name]) => name ?? ''));
    assert.doesNotMatch(text.replaceAll(/ href="\/tournaments\/soon\/players\/secret-\d+"/g, ''), /secret/);
    const ids = [...text.matchAll(/<details id="([^"]+)">/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, query === '?after=200' ? 50 : 100);
    assert.ok(size(text) <= 80_000, `${size(text)} bytes`);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 250 }, (_, index) => `Name ${index}`),
  );
  const { text } = await get('/tournaments/soon/participants');
  assert.match(text, /<a href="\/clubs\/home"><bdi>Home &amp; &lt;Away&gt;<\/bdi><\/a>/);
  assert.doesNotMatch(text, /unpublished/);
  assert.match(text, /<bdi>Name 3<\/bdi><\/a><span class="sub">[^\n]* · dropped<\/span>/);
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
