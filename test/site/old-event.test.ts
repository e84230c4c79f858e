import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

const database = await createTestDatabase();
let time = Date.parse('2025-09-20T12:00:00Z');
const server = await startTestServer(await database.loginAs('wartable_serve'), { now: () => time });
async function ask(path: string, tag = ''): Promise<{ status: number; text: string; tag: string }> {
  const answer = await fetch(`${server.siteUrl}${path}`, { headers: { 'if-none-match': tag } });
  return { status: answer.status, text: await answer.text(), tag: answer.headers.get('etag') ?? '' };
}

async function page(path: string): Promise<string> {
  const { status, text } = await ask(path);
  assert.equal(status, 200, path);
  await assertValidHtml(text, path);
  return text;
}

const slugsOf = (text: string) =>
  [...text.matchAll(/<a class="name" href="\/tournaments\/([\w-]+)">/g)].map(([, slug]) => slug);

const event = (slug: string, fields: object): FeedRecord => ({
  kind: 'tournament',
  slug,
  published: true,
  name: `Event ${slug}`,
  status: 'ongoing',
  battleSize: 1000,
  organizer: 'owls',
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'a', player: 'ann' },
    { id: 'b', player: 'bob' },
  ],
  ...fields,
});
const game = (id: string, date?: string, isOver = true) => ({
  id,
  stage: 'swiss',
  round: 1,
  ...(date !== undefined && { date }),
  ...(isOver && { finished: true, winner: 'a' }),
  sides: [{ participant: 'a' }, { participant: 'b' }],
});

await publishFeed(database.pool, [
  { kind: 'club', slug: 'owls', name: 'Owls' },
  { kind: 'player', id: 'ann', name: 'Ann' },
  { kind: 'player', id: 'bob', name: 'Bob' },
  // This event ended on the 7th, and its newest game was on the 6th.
  event('left', {
    startDate: '2025-09-06',
    endDate: '2025-09-07',
    country: 'Spain',
    battles: [game('left-1', '2025-09-06'), { ...game('left-2', undefined, false), round: 2 }],
  }),
  // This is a league, which began long ago and is still being played.
  event('league', { startDate: '2025-03-01', battles: [game('league-1', '2025-09-15')] }),
  event('undated', { battles: [game('undated-1')] }),
  event('over', { status: 'finished', startDate: '2025-08-01', country: 'Spain' }),
  event('before', { status: 'finished', startDate: '2025-09-10' }),
]);

const paths = {
  front: '/',
  all: '/tournaments',
  running: '/tournaments?status=ongoing',
  finished: '/tournaments?status=finished',
  event: '/tournaments/left',
  rounds: '/tournaments/left/rounds',
  players: '/tournaments/left/participants',
  embed: '/embed/tournaments/left',
  battle: '/battles/left-2',
  player: '/players/ann',
  club: '/clubs/owls',
  search: '/search?q=event+left',
};

const since = /Last result <time datetime="2025-09-06">6 September 2025<\/time>/;
const isLive = /class="pulse"|data-tag|class="live"|badge on/;

test('an event is played until the day after its last day is over; then no page calls it live, although nothing was published', async () => {
  // This is the last half second of the day after its last day.
  time = Date.parse('2025-09-08T23:59:59.500Z');
  const before = new Map<string, string>();
  for (const path of Object.values(paths)) {
    const { text, tag } = await ask(path);
    assert.doesNotMatch(text, /Last result/, path);
    before.set(path, tag);
  }
  assert.deepEqual(slugsOf(await page(paths.running)), ['left', 'league']);
  assert.match(await page(paths.event), /<b class="live">Round 2 of 3<\/b><span>no result yet/);
  assert.match(await page(paths.event), /<section class="now/);
  assert.match(await page(paths.player), /Playing now/);
  assert.equal((await ask(paths.event, before.get(paths.event))).status, 304);

  time = Date.parse('2025-09-09T00:00:00Z');
  for (const [path, tag] of before)
    await eventually(async () => assert.equal((await ask(path, tag)).status, 200, path));
  for (const path of [paths.event, paths.rounds, paths.players, paths.embed]) {
    const text = await page(path);
    assert.match(text, since, path);
    assert.doesNotMatch(text, isLive, path);
  }
  assert.doesNotMatch(await page(paths.event), /<section class="now|Leader after/);
  assert.doesNotMatch(await page(paths.battle), isLive);
  assert.doesNotMatch(await page(paths.player), /Playing now|Event left<\/bdi><\/a><\/p>\n<\/div>/);
  // The page of the participant has the place so far.
  assert.match(await page(paths.player), /Event left.*?Unfinished/s);
  for (const path of [paths.club, paths.search]) assert.match(await page(path), since, path);
  assert.match(
    await page(paths.event),
    /og:description" content="last result 6 Sep 2025 · 2 players · leader after round 1: Ann"/,
  );
});

test('an old event stands among the finished ones, in its place', async () => {
  assert.deepEqual(slugsOf(await page(paths.running)), ['league']);
  const finished = await page(paths.finished);
  assert.deepEqual(slugsOf(finished), ['before', 'left', 'over', 'undated']);
  assert.match(finished, since);
  // Nothing shows when it was played.
  assert.match(finished, /Event undated.*Unfinished/s);
  assert.deepEqual(slugsOf(await page('/tournaments?status=finished&before=2025-09-10.before')), [
    'left',
    'over',
    'undated',
  ]);
  assert.deepEqual(slugsOf(await page('/tournaments?status=finished&country=Spain')), ['left', 'over']);
  assert.deepEqual(slugsOf(await page('/tournaments?status=ongoing&country=Spain')), []);
  const all = await page(paths.all);
  assert.deepEqual(slugsOf(all), ['league', 'before', 'left', 'over', 'undated']);
  assert.match(all, /<h2 id="finished">.*Event left.*Last result/s);
});

test('the front page says of neither old events that they run nor that they are over', async () => {
  const { text } = await ask(paths.front);
  assert.match(text, /Event league/);
  assert.doesNotMatch(text, /Event left/);
});

test('without an end date, a new result makes an event run again; with one, it only says when the last result came', async () => {
  await publishFeed(database.pool, [
    event('left', { battles: [{ ...game('left-3', '2025-09-19'), round: 2 }] }),
    event('empty', { startDate: '2025-09-05', battles: [] }),
  ]);
  time = Date.parse('2025-09-20T12:00:00Z');
  await eventually(async () => assert.deepEqual(slugsOf(await page(paths.running)), []));
  await publishFeed(database.pool, [
    event('league', { startDate: '2025-03-01', battles: [game('league-1', '2025-09-19')] }),
  ]);
  await eventually(async () => assert.deepEqual(slugsOf(await page(paths.running)), ['league']));
  const left = await page(paths.event);
  assert.doesNotMatch(left, isLive);
  // The result arrived today, by the database's clock.
  assert.match(left, /Last result <time datetime="20/);
  assert.match(await page('/tournaments/empty'), /<b>Unfinished<\/b>/);
});

test('the first page of all: ten running, ten upcoming, finished ones up to fifty rows; older ones follow', async () => {
  const day = (days: number) => new Date(time + days * 86_400_000).toISOString().slice(0, 10);
  const many = (length: number, make: (nr: number) => FeedRecord) =>
    Array.from({ length }, (_, index) => make(index + 1));
  await publishFeed(database.pool, [
    ...many(12, (nr) => event(`run-${nr}`, { startDate: day(0) })),
    ...many(12, (nr) => event(`plan-${nr}`, { status: 'planned', startDate: day(nr) })),
    ...many(80, (nr) => event(`end-${nr}`, { status: 'finished', startDate: day(-nr) })),
  ]);
  const walked: (string | undefined)[] = [];
  let first: (string | undefined)[] = [];
  await eventually(async () => {
    first = slugsOf(await page('/tournaments'));
    assert.equal(first.filter((slug) => slug?.startsWith('run-')).length, 10);
  });
  assert.deepEqual(
    first.slice(10, 20),
    many(10, (nr) => event(`plan-${nr}`, {})).map((each) => 'slug' in each && each.slug),
  );
  assert.deepEqual([first.length, first[20]], [50, 'end-1']);
  const text = await page('/tournaments');
  assert.match(text, /<a href="\/tournaments\?status=ongoing">All events running now<\/a>/);
  assert.match(text, /<a href="\/tournaments\?status=planned">All upcoming events<\/a>/);
  for (let next: string | undefined = '/tournaments'; next !== undefined;) {
    const here: string = await page(next);
    walked.push(...slugsOf(here));
    next = /<a href="([^"]*)" rel="next">/.exec(here)?.[1]?.replaceAll('&amp;', '&');
  }
  const ends = walked.filter((slug) => slug?.startsWith('end-'));
  assert.deepEqual(
    ends,
    many(80, (nr) => event(`end-${nr}`, {})).map((each) => 'slug' in each && each.slug),
  );
  assert.equal(new Set(walked).size, walked.length);
  assert.ok(['over', 'before', 'empty'].every((slug) => walked.includes(slug)));
});
