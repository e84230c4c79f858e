import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import { samplesRunBy } from '../../harness/guides/samples.ts';
import { portOf } from '../../src/serve/listeners.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';

const people = Array.from({ length: 30 }, (_, i) => ({ id: `p${i}`, name: `Person ${i}` }));
const cup = (points: number): FeedRecord => ({
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup <b>',
  status: 'ongoing',
  startDate: new Date().toISOString().slice(0, 10),
  battleSize: 1000,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 2 },
    { id: 'knockout', label: 'Top Cut', type: 'bracket', rounds: 1 },
  ],
  participants: people,
  battles: [
    {
      id: 'b1',
      stage: 'swiss',
      round: 1,
      finished: true,
      winner: 'p7',
      sides: [
        { participant: 'p7', battlePoints: points },
        { participant: 'p8', battlePoints: 0 },
      ],
    },
  ],
  matches: [{ stage: 'knockout', round: 1, position: 1, name: 'Final', table: 1, players: ['p1', 'p2'] }],
});
const database = await createTestDatabase();
await publishFeed(database.pool, [
  cup(17),
  {
    kind: 'tournament',
    slug: 'next',
    published: true,
    name: 'Next',
    status: 'planned',
    battleSize: 1,
    stages: [],
  },
]);
const url = await database.loginAs('wartable_serve');
const server = await startTestServer(url);

/** The sample in docs/api/own-site.md. */
const sample = samplesRunBy(import.meta.filename)[0]?.text ?? '';

const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';

test('the frame has the standings, and every link leaves it', async () => {
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'] });
  for (const path of [
    '/embed/tournaments/cup',
    '/embed/tournaments/cup?stage=swiss',
    '/embed/tournaments/next',
  ]) {
    const response = await fetch(`${server.siteUrl}${path}`);
    const text = await response.text();
    assert.equal(response.status, 200, path);
    assert.match(policyOf(response), /^default-src 'none'; script-src 'self'.*frame-ancestors \*$/);
    assert.match(text, /<base target="_top">/);
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(text, /<form|role="search"/);
    const { results } = await validator.validateString(text);
    assert.deepEqual(
      results.flatMap(({ messages }) => messages.map(({ message }) => message)),
      [],
      path,
    );
  }
  const text = await (await fetch(`${server.siteUrl}/embed/tournaments/cup?stage=swiss`)).text();
  assert.equal(text.split('<td class="pl">').length - 1, 20);
  assert.match(text, /See the whole event: 30 players/);
  for (const path of ['/embed/tournaments/none', '/embed/tournaments/cup?stage=none']) {
    const response = await fetch(`${server.siteUrl}${path}`);
    assert.equal(response.status, 404);
    assert.match(policyOf(response), /frame-ancestors 'none'/);
  }
});

test('only this page may be framed, also when it did not change', async () => {
  const first = await fetch(`${server.siteUrl}/embed/tournaments/cup`);
  const again = await fetch(first.url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  assert.deepEqual([again.status, policyOf(again)], [304, policyOf(first)]);
  for (const path of [
    '/',
    '/tournaments',
    '/tournaments/cup',
    '/battles/b1',
    '/clubs',
    '/docs',
    '/reference/',
    '/search?q=cup',
    '/nowhere',
  ])
    assert.match(policyOf(await fetch(`${server.siteUrl}${path}`)), /frame-ancestors 'none'/, path);
});

test('the page of a tournament has the line to copy, unless EMBED is off', async () => {
  const text = await (await fetch(`${server.siteUrl}/tournaments/cup`)).text();
  assert.match(
    text,
    /&lt;iframe src=&quot;https:\/\/[^ ]*\/embed\/tournaments\/cup&quot; title=&quot;Standings&quot;/,
  );
  const other = await (await fetch(`${server.siteUrl}/tournaments/cup?stage=swiss`)).text();
  assert.match(other, /\/embed\/tournaments\/cup\?stage=swiss&quot;/);
  const closed = await startTestServer(url, { embed: false });
  assert.equal((await fetch(`${closed.siteUrl}/embed/tournaments/cup`)).status, 404);
  assert.doesNotMatch(await (await fetch(`${closed.siteUrl}/tournaments/cup`)).text(), /iframe/);
});

test(
  'a page of another origin shows the frame, live, and can frame no other page',
  { skip: withoutBrowser },
  async () => {
    const host = createServer((request, response) => {
      const framed = new URL(request.url ?? '', 'http://a').searchParams.get('framed') ?? '';
      const frame = sample.replace(/src="[^"]*"/, `src="${server.siteUrl}${framed}"`);
      response.setHeader('content-type', 'text/html').end(`<!DOCTYPE html><title>A club</title>${frame}`);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    atEnd(async () => void host.close());
    const browser = await startBrowser();
    assert.ok(browser !== undefined);
    atEnd(browser.close);
    const frame = (path: string) =>
      browser.open(`http://127.0.0.1:${portOf(host)}/?framed=${encodeURIComponent(path)}`);
    const { pathname } = new URL(/src="([^"]*)"/.exec(sample)?.[1] ?? '');
    await frame(pathname.replace('tidewatch-open-2025', 'cup'));
    // The script of the frame runs there.
    await eventually(async () => assert.ok(browser.requested.some((each) => each.endsWith('/script.js'))));
    assert.deepEqual(browser.complaints, []);
    for (const path of ['/tournaments/cup', '/', '/docs', '/reference/', '/nowhere']) {
      browser.complaints.length = 0;
      await frame(path);
      await eventually(async () =>
        assert.ok(
          browser.complaints.some((each) => /frame-ancestors|Refused to frame|Framing/i.test(each)),
          path,
        ),
      );
    }
    // The frame itself is live, has no star, and is updated after a result.
    await browser.open(`${server.siteUrl}/embed/tournaments/cup?stage=swiss`);
    assert.match(String(await browser.evaluate("document.querySelector('main').dataset.tag")), /^W\/"/);
    assert.equal(await browser.evaluate("document.querySelector('.pulse').innerText.trim()"), '');
    assert.equal(await browser.evaluate("document.querySelectorAll('.star, .starred').length"), 0);
    await publishFeed(database.pool, [cup(19)]);
    await eventually(async () =>
      assert.equal(
        await browser.evaluate(
          "document.querySelector('td.pts').textContent.replace(' decided the order', '')",
        ),
        '19',
      ),
    );
  },
);
