import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FactionSums } from '../../src/published/faction-sums.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { factionMonths } from '../../src/read/faction-months.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

const database = await createTestDatabase();
// This server has an empty cache, because a cached page stays until the server learns of a change, a moment
// later.
const server = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 0 });
async function get(path: string, status = 200): Promise<string> {
  const answer = await fetch(`${server.siteUrl}${path}`);
  const text = await answer.text();
  assert.equal(answer.status, status, path);
  if (answer.headers.get('content-type')?.startsWith('text/html')) {
    await assertValidHtml(text, path);
  }
  return text;
}

/** Returns an event in which Ann beats Bea that often, and then Bea beats Ann. */
function event(
  slug: string,
  startDate: string,
  [wins, losses]: [number, number],
  members: object = {},
): FeedRecord {
  const game = (winner: string, number: number) => ({
    id: `${slug}-${winner}-${number}`,
    stage: 'swiss',
    round: 1,
    finished: true,
    winner,
    sides: [
      { participant: 'a', battlePoints: winner === 'a' ? 3 : 0 },
      { participant: 'b', battlePoints: winner === 'b' ? 3 : 0 },
    ],
  });
  return {
    kind: 'tournament',
    slug,
    name: `The ${slug}`,
    published: true,
    status: 'finished',
    startDate,
    battleSize: 2000,
    battlePack: 'Ledger',
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: [
      { id: 'a', player: 'ann', faction: hostile },
      { id: 'b', player: 'bea', faction: 'Brine' },
    ],
    battles: [
      ...Array.from({ length: wins }, (_, i) => game('a', i)),
      ...Array.from({ length: losses }, (_, i) => game('b', i)),
    ],
    ...members,
  };
}

const hostile = 'Ash & <b>"Cinder"</b> / ../100% 日本';
const ofHostile = `/factions/${encodeURIComponent(hostile)}`;
const long = 'ž'.repeat(200);

test('without a game there is a page that says so', async () => {
  assert.match(await get('/factions'), /There are no games from finished events to count here/);
  assert.doesNotMatch(await get('/'), /Strongest factions/);
  await get('/factions/Brine', 404);
});

test('the page has rates, intervals and the matrix of a window', async () => {
  await publishFeed(database.pool, [
    { kind: 'battlePack', name: 'Ledger' },
    { kind: 'player', id: 'ann', name: 'Ann' },
    { kind: 'player', id: 'bea', name: 'Bea' },
    event('old', '2023-01-10', [5, 0], { battlePack: null }),
    event('spring', '2026-03-14', [30, 10]),
    event('summer', '2026-05-02', [10, 30], {
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 5 }],
    }),
    event('far', '2999-01-01', [40, 0]),
  ]);
  const year = await get('/factions');
  assert.match(year, /March 2026 – May 2026: 80 games at 2 events/);
  assert.match(year, /Ash &amp; &lt;b&gt;/);
  assert.match(year, /<b>50\.0%<\/b><span class="sub">39–61<\/span>/);
  assert.match(year, /80 games · 2 entries · 50\.0% of the field/);
  const month = await get('/factions?window=month');
  assert.match(month, /May 2026: 40 games at 1 event/);
  assert.match(month, /▲<span class="vh"> above 50%, <\/span><\/span> 75\.0%/);
  assert.match(month, /<td class="up">75<span class="vh"> clearly above<\/span>/);
  assert.match(month, /<td class="down">25<span class="vh"> clearly below<\/span>/);
  assert.match(await get('/factions?window=all'), /January 2023 – May 2026: 85 games/);
  assert.match(await get('/factions?length=long'), /May 2026: 40 games/);
  assert.match(await get('/factions?window=all&pack=Ledger'), /: 80 games/);
  assert.match(await get('/factions?window=nonsense&length=x&pack='), /: 80 games/);
  assert.match(await get('/factions?pack=Nothing'), /There are no games from finished events to count here/);
});

test('a faction has a page, whatever its name, with months, match-ups and top places', async () => {
  const page = await get(ofHostile);
  assert.match(page, /50\.0% <span class="sub">39\.3–60\.7/);
  assert.match(page, /<th scope="row">March 2026<\/th><td class="n">40<\/td><td class="n">30–0–10<\/td>/);
  assert.match(page, /Worst match-ups|Best match-ups/);
  assert.match(page, /<bdi>The spring<\/bdi><\/a><span class="sub clamp"><bdi>Ann<\/bdi>.*?<b>1st<\/b>/s);
  assert.match(await get('/factions'), new RegExp(`href="${ofHostile.replaceAll(/[.*+?()]/g, '\\$&')}"`));
  await get('/factions/Nothing', 404);
  await get('/factions/brine', 404);
  await publishFeed(database.pool, [
    event('named', '2026-05-20', [2, 1], {
      participants: [
        { id: 'a', player: 'ann', faction: long },
        { id: 'b', player: 'bea', faction: 'Brine' },
      ],
    }),
  ]);
  assert.match(await get(`/factions/${encodeURIComponent(long)}`), /too few games to say \(3\)/);
});

test('an erased player keeps the numbers and loses the name', async () => {
  const before = await get('/factions.csv?window=all');
  await publishFeed(database.pool, [{ kind: 'player', id: 'ann', erased: true }]);
  const page = await get(ofHostile);
  assert.match(page, /Deleted player/);
  assert.doesNotMatch(page, /Ann</);
  assert.equal(await get('/factions.csv?window=all'), before);
});

test('files have the numbers of the page', async () => {
  const rows = (text: string) => text.replace('\u{feff}', '').trim().split('\r\n');
  assert.deepEqual(rows(await get('/factions.csv?window=month&length=long')), [
    'faction,games,wins,draws,losses,winRate,low,high,entries,shareOfField,unbeaten,eventWins',
    'Brine,40,30,0,10,0.7500,0.5981,0.8581,1,0.5000,0,1',
    `"${hostile.replaceAll('"', '""')}",40,10,0,30,0.2500,0.1419,0.4019,1,0.5000,0,0`,
  ]);
  assert.deepEqual(
    rows(await get('/factions.csv?table=matrix&window=month&length=long'))[1],
    `Brine,"${hostile.replaceAll('"', '""')}",40,30,0,10,0.7500,0.5981,0.8581`,
  );
  assert.deepEqual(rows(await get(`${ofHostile}/months.csv`)), [
    'month,games,wins,draws,losses,winRate,low,high',
    '2026-03,40,30,0,10,0.7500,0.5981,0.8581',
    '2026-05,40,10,0,30,0.2500,0.1419,0.4019',
  ]);
  await get('/factions/Nothing/months.csv', 404);
});

test('the front page links the strongest of the newest month', async () => {
  const page = await get('/');
  assert.match(page, /Strongest factions in May 2026/);
  assert.match(
    page,
    /href="\/factions\/Brine\?window=month"><bdi>Brine<\/bdi><\/a><span class="sub clamp">43 games · 95% interval \d\d–\d\d<\/span><\/span><span class="num"><b>72\.1%<\/b><\/span>/,
  );
  const section = /<section class="sec" aria-labelledby="strongest">.*?<\/section>/s.exec(page)?.[0] ?? '';
  const rates = [...section.matchAll(/<b>([\d.]+)%/g)].map(([, rate]) => Number(rate));
  assert.ok(rates.length > 0 && rates.every((rate) => rate > 50), String(rates));
});

test('a month that has just begun does not hide the strongest of the one before', async () => {
  const begun = (published: boolean) =>
    event('begun', '2026-06-06', [1, 0], {
      published,
      participants: [
        { id: 'a', player: 'ann', faction: 'Brine' },
        { id: 'b', player: 'bea', faction: 'Ash' },
        { id: 'c', name: 'Cleo', faction: 'Mirror' },
        { id: 'd', name: 'Dora', faction: 'Mirror' },
      ],
    });
  await publishFeed(database.pool, [begun(true)]);
  const front = await get('/');
  assert.match(front, /Strongest factions in May 2026/);
  for (const [, link = ''] of front.matchAll(/href="(\/factions\/[^"]+)"/g)) {
    assert.doesNotMatch(link, /window=month/);
    await get(link);
  }
  // A faction without any games has no rate.
  assert.match(await get('/factions.csv?window=month'), /^Mirror,0,0,0,0,,,,2,/m);
  await publishFeed(database.pool, [begun(false)]);
});

test('a year at the design size reads at most 200 pages of memory', async () => {
  const sums = new FactionSums();
  const names = Array.from(
    { length: 40 },
    (_, i) => `Faction of the ${['Ember', 'Tide', 'Hollow', 'Gear'][i % 4]} ${i}`,
  );
  // This corresponds to 30,000 events a year with 60 games each.
  const games = Math.round((30_000 * 60) / 12 / 780);
  for (const [i, first] of names.entries()) {
    sums.of(first).entries = 1_000 + 37 * i;
    for (const [k, second] of names.slice(0, i).entries())
      sums.addGames(first, second, {
        wins: Math.round(games / 2) + ((i * k) % 23),
        draws: (i + k) % 9,
        losses: Math.round(games / 2) - ((i * k) % 19),
      });
  }
  const counts = JSON.stringify(sums);
  await database.pool.query(
    `insert into published.faction_month (pack, is_long, month, tournaments, packs, counts)
      select pack, is_long, month, 2500, '{A,B,C,D}', $1
      from unnest(array['', 'A', 'B', 'C', 'D']) pack, unnest(array[true, false]) is_long,
        generate_series(date '2005-01-01', date '2024-12-01', interval '1 month') month
      on conflict do nothing`,
    [counts],
  );
  await database.pool.query('vacuum analyze published.faction_month');
  const client = await database.pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    // Whole rows leave the database, so that values that are stored separately are read as well.
    await client.query(`prepare months (date, integer, text, boolean) as
      select sum(length(row(page.*)::text)) as length from (${factionMonths.text}) page`);
    const run = `execute months ('2024-12-20', 12, '', false)`;
    const { rows: whole } = await client.query<{ length: string }>(run);
    assert.ok(Number(whole[0]?.length) > 12 * counts.length, 'not all months were read');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${run}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
    const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    console.log(
      `a year of ${names.length} factions: ${counts.length} bytes a month, ${pages} pages of memory`,
    );
    assert.ok(pages > 0 && pages <= 200, `${pages} pages`);
  } finally {
    client.release(true);
  }
});
