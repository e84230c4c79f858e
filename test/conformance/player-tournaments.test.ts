import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Tests `GET /api/extra/v1/players/{publicId}/tournaments`. The test server compares every answer with
// openapi-extra.json.

const apiUrl = 'https://api.wartable.example';
const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), { apiUrl });
const { key } = await createTestKey(database);

interface Page {
  data: { slug: string; name: string; won: number | null; [member: string]: unknown }[];
  next: string | null;
}

const people = [
  { id: 'a', player: 'ana', club: 'lantern', faction: 'Lanternsworn' },
  { id: 'b', player: 'bo' },
  { id: 'c', name: 'A guest' },
];
const stages = [{ id: 'swiss', label: 'Swiss', type: 'board' as const, rounds: 3 }];
const cup = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup "of" Łódź\n🎲',
  status: 'finished',
  startDate: '2026-04-18',
  endDate: '2026-04-19',
  battleSize: 1000,
  participants: people,
  stages,
  byes: [{ stage: 'swiss', round: 3, participant: 'a', win: true, battlePoints: 3 }],
} as const satisfies FeedRecord;

let games = 0;
/**
 * Returns a game. `winner` is the index of the side, null for a draw, and undefined if the game is not
 * finished.
 */
function game(
  tournament: string,
  sides: [string, string],
  winner?: 0 | 1 | null,
  more: { id?: string; archived?: boolean } = {},
): FeedRecord {
  games += 1;
  return {
    kind: 'battle',
    id: `g${games}`,
    tournament,
    stage: 'swiss',
    round: 1 + (games % 3),
    finished: winner !== undefined,
    ...(typeof winner === 'number' && { winner: sides[winner] }),
    sides: sides.map((participant) => ({ participant })),
    ...more,
  };
}

const small = (slug: string, more: object = {}): FeedRecord => ({
  ...cup,
  slug,
  name: slug,
  participants: [people[1] as (typeof people)[0]],
  byes: [],
  ...more,
});

await publishFeed(database.pool, [
  { kind: 'club', slug: 'lantern', name: 'Lanterns' },
  ...['ana', 'bo', 'cy', 'dee', 'eve'].map((id): FeedRecord => ({
    kind: 'player',
    id,
    name: id.toUpperCase(),
  })),
  { ...cup, tournamentOrganizers: ['ana'] },
  game('cup', ['a', 'b'], 0),
  game('cup', ['a', 'c'], 1, { archived: true }),
  game('cup', ['b', 'a'], null),
  game('cup', ['b', 'a']),
  small('undated', { startDate: null, endDate: null, status: 'planned' }),
  ...['2025-01-10', '2025-01-11', '2025-02-01', '2026-04-18', '2026-05-01'].map((startDate, i) =>
    small(`small-${i}`, { startDate, endDate: startDate, status: 'ongoing' }),
  ),
  small('draft', { published: false }),
  small('only-run', { tournamentOrganizers: ['cy'], participants: [{ id: 'x', player: 'eve' }] }),
]);

const path = (player: string, query = '') => `/api/extra/v1/players/${player}/tournaments${query}`;
const ask = (target: string, headers: Record<string, string> = {}) =>
  server.get(target, { ...bearer(key), ...headers });
const page = async (target: string): Promise<Page> => {
  const { status, text, json } = await ask(target);
  assert.equal(status, 200, text);
  return json as Page;
};
const slugs = async (target: string) => (await page(target)).data.map(({ slug }) => slug);
const newest = ['small-4', 'small-3', 'cup', 'small-2', 'small-1', 'small-0', 'undated'];

test('an event has place, club, faction and the finished battles, archived ones too and byes not', async () => {
  const { data } = await page(path('ana'));
  assert.deepEqual(data, [
    {
      slug: 'cup',
      name: cup.name,
      startDate: '2026-04-18',
      endDate: '2026-04-19',
      status: 'finished',
      players: 3,
      finalPlacement: 1,
      club: 'lantern',
      faction: 'Lanternsworn',
      won: 1,
      drawn: 1,
      lost: 1,
    },
  ]);
  assert.equal(
    Object.keys(data[0] ?? {}).join(),
    'slug,name,startDate,endDate,status,players,finalPlacement,club,faction,won,drawn,lost',
  );
});

test('what is not known is null, and nothing played is 0', async () => {
  const { data } = await page(path('bo'));
  assert.deepEqual(
    data.find(({ slug }) => slug === 'undated'),
    {
      slug: 'undated',
      name: 'undated',
      startDate: null,
      endDate: null,
      status: 'planned',
      players: 1,
      finalPlacement: null,
      club: null,
      faction: null,
      won: 0,
      drawn: 0,
      lost: 0,
    },
  );
});

test('newest first and undated last, in pages that never overlap, and within a window of days', async () => {
  assert.deepEqual(await slugs(path('bo')), newest);
  for (const limit of [1, 2, 3, 7]) {
    const found: string[] = [];
    for (let next: string | null = path('bo', `?limit=${limit}`); next !== null;) {
      const { data, next: following }: Page = await page(next);
      assert.ok(data.length <= limit && data.length > 0);
      found.push(...data.map(({ slug }) => slug));
      next = following === null ? null : following.slice(apiUrl.length);
    }
    assert.deepEqual(found, newest, `limit ${limit}`);
  }
  assert.deepEqual(await slugs(path('bo', '?from=2025-01-11&to=2025-02-01')), ['small-2', 'small-1']);
  assert.deepEqual(await slugs(path('bo', '?to=2025-01-10')), ['small-0']);
  assert.deepEqual(await slugs(path('bo', '?from=2026-04-18')), ['small-4', 'small-3', 'cup']);
});

test('it has only what the person plays, and nothing of a draft', async () => {
  assert.deepEqual(await slugs(path('cy')), []);
  assert.deepEqual(await slugs(path('dee')), []);
  assert.doesNotMatch((await ask(path('bo'))).text, /draft/);
  await setPublished(database.pool, 'draft', true);
  await publishBacklog(database.pool);
  await eventually(async () => assert.ok((await slugs(path('bo'))).includes('draft')));
  await setPublished(database.pool, 'draft', false);
  await publishBacklog(database.pool);
  await eventually(async () => assert.deepEqual(await slugs(path('bo')), newest));
});

test('it refuses what lists refuse', async () => {
  const refused = async (target: string) => {
    const { status, json } = await ask(target);
    return `${status} ${(json as { error: { message: string } }).error.message}`;
  };
  assert.equal(await refused(path('nobody')), '404 Player not found');
  assert.equal(await refused(path('a%20b')), '404 Player not found');
  assert.equal(await refused(path('')), '404 Player not found');
  assert.equal(await refused(path('bo', '?limit=0')), '400 limit must be a positive integer');
  assert.equal(await refused(path('bo', '?limit=101')), '400 limit must not exceed 100');
  assert.equal(await refused(path('bo', '?limit=1&limit=2')), '400 limit must be given only once');
  assert.equal(await refused(path('bo', '?from=2026-02-30')), '400 from must be a date (YYYY-MM-DD)');
  assert.equal(
    await refused(path('bo', '?from=2024-01-01&to=2026-01-01')),
    '400 date window must not exceed one year',
  );
  assert.equal(await refused(path('bo', '?cursor=x')), '400 Invalid cursor');
  const { next } = await page(path('bo', '?limit=1'));
  const cursor = new URL(next ?? '').searchParams.get('cursor') ?? '';
  assert.equal(await refused(path('ana', `?cursor=${cursor}`)), '400 Invalid cursor');
  assert.equal((await server.get(path('bo'))).status, 401);
});

test('a tag is stale as soon as a name, a number of players, a place or a result changes, and not before', async () => {
  let tag = (await ask(path('bo'))).headers.get('etag') ?? '';
  const isHeld = async () => (await ask(path('bo'), { 'if-none-match': tag })).status === 304;
  const shows = async (what: string, records: FeedRecord[], expected: RegExp) => {
    assert.equal(await isHeld(), true, `before ${what}`);
    await publishFeed(database.pool, records);
    await eventually(async () => {
      const { status, text, headers } = await ask(path('bo'), { 'if-none-match': tag });
      assert.equal(status, 200, what);
      assert.match(text, expected);
      tag = headers.get('etag') ?? '';
    });
  };
  const change = (slug: string, more: object) => ({ kind: 'tournament', slug, ...more }) as FeedRecord;
  await shows('a name', [change('small-1', { name: 'Renamed' })], /"name":"Renamed"/);
  await shows('a status', [change('small-1', { status: 'planned' })], /"Renamed".{0,80}"status":"planned"/);
  const entered: FeedRecord = { kind: 'participant', tournament: 'small-1', id: 'z', name: 'One more' };
  await shows('a participant', [entered], /"Renamed".{0,110}"players":2/);
  await shows(
    'a result',
    [{ ...game('small-1', ['b', 'z'], 0), id: 'late' } as FeedRecord],
    /"Renamed".*?"won":1,"drawn":0,"lost":0/,
  );
  await shows(
    'a corrected result',
    [{ ...game('small-1', ['b', 'z'], 1), id: 'late' } as FeedRecord],
    /"Renamed".*?"won":0,"drawn":0,"lost":1/,
  );
  await shows(
    'an archived result',
    [game('small-1', ['b', 'z'], null, { archived: true })],
    /"Renamed".*?"won":0,"drawn":1,"lost":1/,
  );
  // This changes nothing that the page shows.
  await publishFeed(database.pool, [change('small-2', { name: 'small-2' })]);
  assert.equal(await isHeld(), true);
  // Nobody has read this page yet, and the tag in this 304 must be that of the page.
  const fresh = path('bo', '?limit=50');
  const any = await ask(fresh, { 'if-none-match': '*' });
  assert.equal(any.status, 304);
  await publishFeed(database.pool, [change('small-2', { name: 'After any' })]);
  await eventually(async () =>
    assert.match((await ask(fresh, { 'if-none-match': any.headers.get('etag') ?? '' })).text, /After any/),
  );
});

test('an erased player is not found', async () => {
  await publishFeed(database.pool, [{ kind: 'player', id: 'ana', erased: true }]);
  await eventually(async () => assert.equal((await ask(path('ana'))).status, 404));
});
