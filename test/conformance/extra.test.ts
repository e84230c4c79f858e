import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberChanges, startEpoch } from '../../src/publish/number-changes.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Tests the endpoints under `/api/extra/v1`. The test server compares every answer with openapi-extra.json.

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  apiUrl: 'https://api.wartable.example',
  siteUrl: 'https://wartable.example',
});
const { key } = await createTestKey(database);
const search = '/api/extra/v1/search';
const changes = '/api/extra/v1/changes';

interface Change {
  kind: 'tournament' | 'club' | 'battle';
  key: string;
  change: 'changed' | 'gone';
  revision: number;
  tournament: string | null;
}
interface Page {
  data: Change[];
  next: string | null;
  after: string;
}

const cup = {
  kind: 'tournament',
  slug: 'harbour-cup',
  published: true,
  name: 'Harbour Cup',
  status: 'ongoing',
  startDate: '2026-04-18',
  endDate: '2026-04-19',
  city: 'Porto',
  country: 'Portugal',
  battleSize: 1000,
  participants: [
    { id: 'a', player: 'p1', club: 'lantern' },
    { id: 'b', player: 'p2' },
  ],
} satisfies FeedRecord;

await publishFeed(database.pool, [
  { kind: 'club', slug: 'lantern', name: 'Harbour Lanterns', city: 'Porto', country: 'Portugal' },
  { kind: 'player', id: 'p1', name: 'Ana Harbour' },
  { kind: 'player', id: 'p2', name: 'Bo' },
  { kind: 'player', id: 'p3', name: 'Harbour Unseen' },
  cup,
  { ...cup, slug: 'harbour-draft', name: 'Harbour Draft', published: false },
]);

const ask = (path: string, headers: Record<string, string> = {}) =>
  server.get(path, { ...bearer(key), ...headers });

async function page(query = ''): Promise<Page> {
  const answer = await ask(`${changes}${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Page;
}

/** Asks until the changes are there, because servers learn of a change by a notice. */
async function pageOf(after: string, expected: string[]): Promise<Page> {
  let found: Page | undefined;
  await eventually(async () => {
    found = await page(`?after=${after}`);
    assert.deepEqual(
      found.data.map((each) => `${each.change} ${each.kind} ${each.key}`).toSorted(),
      expected,
    );
  });
  assert.ok(found !== undefined);
  return found;
}

const refused = async (path: string): Promise<unknown> => {
  const { status, json } = await ask(path);
  const { error } = json as { error: { status: number; message: string } };
  assert.equal(error.status, status);
  return [status, error.message];
};

test('search finds published things of three kinds, with what tells them apart, and no draft', async () => {
  const { json } = await ask(`${search}?q=harb`);
  assert.deepEqual(json, {
    data: [
      {
        kind: 'club',
        key: 'lantern',
        name: 'Harbour Lanterns',
        detail: 'Porto, Portugal',
        url: 'https://wartable.example/clubs/lantern',
      },
      {
        kind: 'player',
        key: 'p1',
        name: 'Ana Harbour',
        detail: 'Harbour Lanterns · Harbour Cup',
        url: 'https://wartable.example/players/p1',
      },
      {
        kind: 'tournament',
        key: 'harbour-cup',
        name: 'Harbour Cup',
        detail: '2026-04-18 · Porto, Portugal',
        url: 'https://wartable.example/tournaments/harbour-cup',
      },
    ],
    next: null,
  });
});

test('search takes one kind, words in any order, and a plus or %20 between them', async () => {
  const keysOf = async (query: string) =>
    ((await ask(`${search}?${query}`)).json as { data: { key: string }[] }).data.map((each) => each.key);
  assert.deepEqual(await keysOf('q=harbour&kind=club'), ['lantern']);
  assert.deepEqual(await keysOf('q=cup+harb'), ['harbour-cup']);
  assert.deepEqual(await keysOf('q=cup%20harb'), ['harbour-cup']);
  assert.deepEqual(await keysOf('q=harbour%00cup&kind=tournament'), ['harbour-cup']);
  for (const nothing of [
    'zzz',
    'draft',
    'unseen',
    '%27%22%3B--',
    '%25%25',
    '__',
    '%F0%9F%8F%B4%F0%9F%8F%B4',
  ]) {
    assert.deepEqual(await keysOf(`q=${nothing}`), [], nothing);
  }
});

test('search refuses what it cannot look for', async () => {
  const short = [400, 'q must have at least two letters or digits'];
  for (const query of ['', '?q=', '?q=a', '?q=%00', '?q=%20%20']) {
    assert.deepEqual(await refused(`${search}${query}`), short, query);
  }
  assert.deepEqual(await refused(`${search}?q=${'a'.repeat(101)}`), [
    400,
    'q must not exceed 100 characters',
  ]);
  assert.deepEqual(await refused(`${search}?q=aa&q=bb`), [400, 'q must be given only once']);
  assert.deepEqual(await refused(`${search}?q=aa&kind=club&kind=club`), [
    400,
    'kind must be given only once',
  ]);
  const kinds = [400, 'kind must be one of tournament, club, player'];
  for (const kind of ['', 'battle', 'Club', 'club%00'])
    assert.deepEqual(await refused(`${search}?q=aa&kind=${kind}`), kinds);
});

test('search is 304 until a name or a detail changes', async () => {
  const first = await ask(`${search}?q=harb`);
  const held = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await ask(`${search}?q=harb`, held)).status, 304);
  await publishFeed(database.pool, [{ ...cup, city: 'Lisboa' }]);
  await eventually(async () => {
    const answer = await ask(`${search}?q=harb`, held);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /2026-04-18 · Lisboa, Portugal/);
  });
});

test('search shows at most 20 of a kind', async () => {
  const clubs = Array.from({ length: 25 }, (_, i): FeedRecord => ({
    kind: 'club',
    slug: `many-${i}`,
    name: `Manifold ${i}`,
  }));
  await publishFeed(database.pool, clubs);
  const { json } = await ask(`${search}?q=manifold`);
  assert.equal((json as { data: unknown[] }).data.length, 20);
});

test('without after: no data, and the newest place; from there on each change once', async () => {
  const start = await page();
  assert.deepEqual([start.data, start.next], [[], null]);
  assert.deepEqual(await page(`?after=${start.after}`), start);
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'new-club', name: 'New' },
    { kind: 'battle', id: 'casual', battleSize: 1000, sides: [{ player: 'p1' }, { player: 'p2' }] },
    { ...cup, name: 'Harbour Cup!' },
  ]);
  const { after } = await pageOf(start.after, [
    'changed battle casual',
    'changed club new-club',
    'changed tournament harbour-cup',
  ]);
  await publishFeed(database.pool, [{ ...cup, name: 'Harbour Cup?' }]);
  const { data } = await pageOf(after, ['changed tournament harbour-cup']);
  // The entry contains the first revision with which an answer shows the change.
  await eventually(async () => {
    const answer = await ask('/api/v1/tournaments/harbour-cup');
    const revision = Number(/^W\/"(\d+)\./.exec(answer.headers.get('etag') ?? '')?.[1]);
    assert.equal(revision, data[0]?.revision);
    assert.match(answer.text, /Harbour Cup\?/);
  });
});

test('pages follow each other by next, and by after', async () => {
  const { after: start } = await page();
  const clubs = Array.from({ length: 5 }, (_, i): FeedRecord => ({
    kind: 'club',
    slug: `paged-${i}`,
    name: 'P',
  }));
  await publishFeed(database.pool, clubs);
  const all = await pageOf(
    start,
    clubs.map((_, i) => `changed club paged-${i}`),
  );
  const first = await page(`?after=${start}&limit=2`);
  assert.deepEqual(first.data, all.data.slice(0, 2));
  assert.equal(first.next, `https://api.wartable.example${changes}?limit=2&after=${first.after}`);
  const second = await page(new URL(first.next ?? '').search);
  assert.deepEqual(second.data, all.data.slice(2, 4));
  const third = await page(new URL(second.next ?? '').search);
  assert.deepEqual([third.data, third.next, third.after], [all.data.slice(4), null, all.after]);
  // A page that is exactly full is also the last one.
  assert.equal((await page(`?after=${start}&limit=5`)).next, null);
});

test('what is no longer published is gone, and a draft never shows', async () => {
  const { after } = await page();
  await publishFeed(database.pool, [
    { ...cup, slug: 'harbour-draft', name: 'Harbour Draft 2', published: false },
  ]);
  await setPublished(database.pool, 'harbour-cup', false);
  await publishBacklog(database.pool);
  const found = await pageOf(after, ['gone tournament harbour-cup']);
  assert.ok(!JSON.stringify(found).includes('draft'));
});

test('a poll without news is a 304, from memory or by one probe', async () => {
  const { after } = await page();
  const first = await ask(`${changes}?after=${after}`);
  const held = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await ask(`${changes}?after=${after}`, held)).status, 304);
  await publishFeed(database.pool, [{ kind: 'club', slug: 'news', name: 'News' }]);
  await eventually(async () => assert.equal((await ask(`${changes}?after=${after}`, held)).status, 200));
});

test('an after that we never gave is refused', async () => {
  const message = [400, 'after must be one that an earlier answer gave'];
  const { after } = await page();
  const [epoch = '', place = ''] = after.split('.');
  const wrong = [
    '',
    '0',
    epoch,
    `${epoch}.`,
    `${epoch}.-1`,
    `${epoch}.01`,
    `${epoch}.1e3`,
    `${epoch}.${'9'.repeat(19)}`,
  ];
  for (const each of [
    ...wrong,
    `${after}%00`,
    `${epoch.toUpperCase()}G.${place}`,
    `%20${after}`,
    `${after}'--`,
  ]) {
    assert.deepEqual(await refused(`${changes}?after=${each}`), message, each);
  }
  assert.deepEqual(await refused(`${changes}?after=${after}&after=${after}`), message);
  assert.deepEqual(await refused(`${changes}?limit=0`), [400, 'limit must be a positive integer']);
  assert.deepEqual(await refused(`${changes}?limit=101`), [400, 'limit must not exceed 100']);
  // A sequence number that a replica has not reached yet is never lowered.
  const ahead = `${epoch}.${'9'.repeat(18)}`;
  assert.deepEqual(await page(`?after=${ahead}`), { data: [], next: null, after: ahead });
});

test('an after below the floor, or from another epoch, is 410 and says what to do', async () => {
  const message = [410, 'These changes are no longer known. Ask without after, then read everything again'];
  const { after } = await page();
  const [epoch = '', place = ''] = after.split('.');
  await database.pool.query("update published.change set since = now() - interval '91 days'");
  await publishFeed(database.pool, [{ kind: 'club', slug: 'after-floor', name: 'After' }]);
  await numberChanges(database.pool);
  await eventually(async () =>
    assert.deepEqual(await refused(`${changes}?after=${epoch}.${Number(place) - 1}`), message),
  );
  assert.equal((await ask(`${changes}?after=${after}`)).status, 200);
  await startEpoch(database.pool);
  await eventually(async () => assert.deepEqual(await refused(`${changes}?after=${after}`), message));
  const fresh = await page();
  assert.notEqual(fresh.after.split('.')[0], epoch);
  assert.deepEqual((await page(`?after=${fresh.after}`)).data, []);
});
