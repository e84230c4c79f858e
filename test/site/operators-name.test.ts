import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed, importText } from '../../harness/support/feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// An operator has a name and pages of their own: nothing mentions our name, and every `url` is theirs.
// Nothing has to be published again for that.

const database = await createTestDatabase();
const client = await database.pool.connect();
await importText(client, exampleFeed());
client.release();
await publishBacklog(database.pool);
const login = await database.loginAs('wartable_serve');
const own = {
  siteUrl: 'https://ring.example/results',
  siteName: 'The <Ring>',
  tournamentUrl: 'https://ring.example/event/',
  battleUrl: 'https://ring.example/?game=',
  clubUrl: 'https://ring.example/club/',
};
const server = await startTestServer(login, own);
const headers = bearer((await createTestKey(database)).key);
const answers = [
  '/tournaments',
  '/tournaments/tidewatch-open-2025',
  '/tournaments/tidewatch-open-2025/battles',
  '/clubs/tidewatch',
  '/clubs/tidewatch/tournaments',
  '/clubs/tidewatch/battles',
  '/users/ana-q/battles',
  '/battles/casual-7',
].map((path) => `/api/v1${path}`);

test('every url of every answer is the operator’s, and part of its ETag', async () => {
  const usual = await startTestServer(login, { siteUrl: own.siteUrl });
  for (const path of answers) {
    const { text, headers: given } = await server.get(path, headers);
    const urls = [...text.matchAll(/"url":"([^"]*)"/g)].map(([, url = '']) => url);
    assert.ok(urls.length > 0, path);
    for (const url of urls)
      assert.match(url, /^https:\/\/ring\.example\/(event\/|\?game=|club\/)[a-z0-9-]+$/, path);
    assert.doesNotMatch(text, /wartable/i);
    const before = await usual.get(path, headers);
    assert.notEqual(given.get('etag'), before.headers.get('etag'), path);
    const again = await server.get(path, { ...headers, 'if-none-match': before.headers.get('etag') ?? '' });
    assert.equal(again.status, 200, path);
  }
});

test('no page says another name: all pages that a crawl finds, and openapi.json', async () => {
  const seen = new Set<string>();
  const todo = ['/', '/search?q=ana', '/nothing-here', '/openapi.json', '/openapi-extra.json', '/reference/'];
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await fetch(`${server.siteUrl}${path}`);
    const text = await response.text();
    assert.doesNotMatch(text, /wartable/i, path);
    if (!response.headers.get('content-type')?.startsWith('text/html') || path === '/reference/') continue;
    assert.match(text, /<title>[^<]*The &lt;Ring&gt;<\/title>/, path);
    for (const [, link = ''] of text.matchAll(/href="\/results(\/[^"#]*)/g)) {
      // The guides mention the command of the software.
      if (!/^\/(docs|assets)/.test(link)) todo.push(link.replaceAll('&amp;', '&'));
    }
  }
  assert.ok(seen.size > 20, String(seen.size));
  const event = await (await fetch(`${server.siteUrl}/tournaments/tidewatch-open-2025`)).text();
  assert.match(event, /"url":"https:\/\/ring\.example\/event\/tidewatch-open-2025"/);
  assert.match(event, /"url":"https:\/\/ring\.example\/club\/tidewatch"/);
});

test('search engines are told the operator’s address of a thing, and of our own pages ours', async () => {
  const canonicalOf = async (path: string): Promise<string[]> => {
    const text = await (await fetch(`${server.siteUrl}${path}`)).text();
    const found = [
      ...text.matchAll(
        /(?:rel="canonical" href|property="og:url" content|hreflang="(?:en|x-default)" href)="([^"]*)"/g,
      ),
    ];
    return [...new Set(found.map(([, address = '']) => address))];
  };
  const event = '/tournaments/tidewatch-open-2025';
  assert.deepEqual(await canonicalOf(event), ['https://ring.example/event/tidewatch-open-2025']);
  assert.deepEqual(await canonicalOf('/clubs/tidewatch'), ['https://ring.example/club/tidewatch']);
  for (const path of [`${event}/rounds`, `${event}/participants`, '/tournaments', '/clubs', '/'])
    assert.deepEqual(await canonicalOf(path), [`https://ring.example/results${path}`]);
  // A search engine leaves these out, and must not take that as a statement about the operator's page.
  for (const path of [`${event}/players/p1`, '/battles/casual-7'])
    assert.deepEqual(await canonicalOf(path), [`https://ring.example/results${path.replace(/\?.*/, '')}`]);
  for (const path of ['/sitemap.xml', '/sitemaps/clubs.xml', '/sitemaps/tournaments-2025.xml'])
    assert.equal((await fetch(`${server.siteUrl}${path}`)).status, 404, path);
  assert.doesNotMatch(await (await fetch(`${server.siteUrl}/robots.txt`)).text(), /Sitemap/);
  const { siteUrl } = await startTestServer(login, { clubUrl: own.clubUrl });
  const index = await (await fetch(`${siteUrl}/sitemap.xml`)).text();
  assert.match(index, /tournaments-2025\.xml/);
  assert.doesNotMatch(index, /clubs/);
});

test('an address without its placeholder at the end is refused at the start', () => {
  const read = (environment: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://a:b@c:5432/d', ...environment });
  assert.equal(read({ TOURNAMENT_URL: 'https://a.example/e/{slug}' }).tournamentUrl, 'https://a.example/e/');
  assert.equal(read({ BATTLE_URL: 'https://a.example/?g={id}' }).battleUrl, 'https://a.example/?g=');
  assert.equal(read({}).siteName, 'Wartable');
  for (const [name, value] of [
    ['TOURNAMENT_URL', 'https://a.example/e/'],
    ['TOURNAMENT_URL', 'https://a.example/e/{id}'],
    ['TOURNAMENT_URL', 'https://a.example{slug}'],
    ['BATTLE_URL', 'https://a.example/{slug}'],
    ['CLUB_URL', 'a.example/{slug}'],
    ['CLUB_URL', 'https://a.example/{slug}/club'],
    ['SITE_NAME', 'x'.repeat(61)],
    ['SITE_NAME', 'a\nb'],
  ])
    assert.throws(() => read({ [name ?? '']: value ?? '' }), new RegExp(`^ConfigError: ${name} must be`));
});
