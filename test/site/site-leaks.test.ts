import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { startTestServer, type TestServer } from '../../harness/support/server.ts';
import {
  battlesOf,
  clubSlugs,
  hiddenTournament,
  onlyPlayer,
  openFeed,
  openSlugs,
  playersOf,
} from '../api/hidden-tournaments.ts';

// On the site, too, a tournament that is not published must look like one that never existed: on its own
// pages and in its files, on other pages, in the search, in the sitemap.
const shownOnce = ['taken-back', 'unpublished', 'removed'];
const hidden = [...shownOnce, 'never-shown', 'not-yet'];
const never = 'never-was';

const database = await createTestDatabase();
const without = await createTestDatabase();
const open = openFeed(hidden);
await publishFeed(without.pool, open);
await publishFeed(database.pool, [
  ...open,
  ...hidden.map((slug, i) => hiddenTournament(slug, i, shownOnce.includes(slug))),
]);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const serverWithout = await startTestServer(await without.loginAs('wartable_serve'));

const tabs = [
  '',
  '?stage=swiss',
  '?stage=knockout',
  '?stage=xyz',
  '/rounds',
  '/rounds?stage=swiss&round=1',
  '/rounds?entry=d',
  '?entry=d',
  '?player=d',
  '/followed?entry=d',
  '/participants',
  '/names',
  '/players/a',
  '/players/d',
  '/players/d?x',
  '/standings.csv',
  '/standings.csv?stage=swiss',
  '/participants.csv',
  '/calendar.ics',
  '/battles.csv',
];
const pagesOf = (slug: string): string[] => [
  ...tabs.map((tab) => `/tournaments/${slug}${tab}`),
  ...battlesOf(slug).map((id) => `/battles/${id}`),
];
/** Every page and file in which a hidden tournament might appear. */
const others = [
  '/',
  '/tournaments',
  '/tournaments?status=finished',
  '/tournaments?status=ongoing',
  '/tournaments?from=2025-06-01',
  '/factions',
  '/factions?window=all&length=long',
  '/factions?pack=Secret+Almanac',
  '/factions.csv?window=all',
  '/factions.csv?window=all&table=matrix',
  '/factions/Quarry%20Giants?window=all',
  '/factions/Quarry%20Giants/months.csv',
  '/sitemap.xml',
  '/sitemaps/tournaments-2025.xml',
  '/sitemaps/tournaments-undated.xml',
  '/sitemaps/clubs.xml',
  ...['tournament', 'player', 'secret', 'guest', 'guest of', ...hidden].map(
    (word) => `/search?q=${encodeURIComponent(word)}`,
  ),
  ...clubSlugs.map((slug) => `/clubs/${slug}`),
  ...playersOf(hidden).map((id) => `/players/${id}`),
  ...openSlugs.flatMap(pagesOf),
  ...[0, 1, 2].map((i) => `/battles/casual-${i}`),
];

// The tags of pages that browsers have kept from before.
const oldTags = new Map<string, string>();
for (const page of shownOnce.flatMap(pagesOf)) {
  const { status, etag } = await get(server, page);
  assert.equal(status, page.endsWith('=xyz') ? 404 : 200, page);
  oldTags.set(page, etag);
}
const namedBefore = await get(server, `/players/${onlyPlayer('removed')}`);

await publishFeed(database.pool, [
  { kind: 'tournament', slug: 'taken-back', published: false },
  { kind: 'remove', of: 'tournament', id: 'removed' },
]);
await setPublished(database.pool, 'unpublished', false);
await publishBacklog(database.pool);

test('every page and file of a hidden tournament is the page of one that never was', async () => {
  const ofNever = pagesOf(never);
  for (const slug of hidden) {
    for (const [i, page] of pagesOf(slug).entries()) {
      for (const tag of ['"x"', oldTags.get(page) ?? '"y"', '*']) {
        const [one, other] = [await get(server, page, tag), await get(server, ofNever[i] ?? '', tag)];
        assert.equal(one.status, 404, page);
        assert.deepEqual(one, other, page);
      }
    }
  }
});

test('everything else is what it is where they were never recorded', async () => {
  for (const page of others) {
    const [one, other] = [await get(server, page), await get(serverWithout, page)];
    assert.equal(one.status, other.status, page);
    assert.equal(masked(one.text), masked(other.text), page);
    assert.equal(one.type, other.type, page);
  }
});

test('who plays in hidden tournaments only has no page, though the API answers an empty list', async () => {
  assert.equal(namedBefore.status, 200);
  for (const slug of hidden) {
    assert.equal((await get(server, `/players/${onlyPlayer(slug)}`)).status, 404, slug);
    assert.doesNotMatch(
      (await get(server, `/search?q=only-${slug}`)).text,
      new RegExp(`/players/only-${slug}`),
    );
  }
});

async function get({ siteUrl }: TestServer, page: string, tag = '"none"') {
  const response = await fetch(`${siteUrl}${page}`, { headers: { 'if-none-match': tag } });
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get('content-type'),
    etag: response.headers.get('etag') ?? '',
  };
}

/**
 * Removes what comes from the clock: revisions in tags, the newest change, and the times at which results
 * arrived.
 */
function masked(text: string): string {
  return text.replaceAll(
    / data-(?:tag|revision)="[^"]*"|<time(?: class="clock")? datetime="[^"]*Z">[^<]*<\/time>|^DTSTAMP:.*$/gm,
    '',
  );
}
