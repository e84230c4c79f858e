import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { startBrowser, withoutBrowser } from '../../harness/support/browser.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

const browser = await startBrowser();
const skip = withoutBrowser;
if (browser !== undefined) atEnd(browser.close);
const database = await createTestDatabase();
await publishFeed(
  database.pool,
  ['first', 'second'].map((slug) => ({
    kind: 'tournament',
    slug,
    name: `The ${slug} cup`,
    published: true,
    status: 'planned',
    startDate: '2026-11-14',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  })),
);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);

test(
  'the reference shows every endpoint, asks no other host, and breaks no rule of its policy',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    await browser.look({ width: 1_280, scheme: 'light' });
    await browser.open(`${server.siteUrl}/reference/`);
    await eventually(async () => {
      const text = String(await browser.evaluate('document.body.innerText'));
      // Parameters are shown only by the script.
      assert.match(text, /List the battles of a player[^]*Query Parameters/);
    });
    for (const url of browser.requested.filter((each) => !each.startsWith('data:'))) {
      assert.equal(new URL(url).origin, new URL(server.siteUrl).origin, url);
    }
    assert.ok(browser.requested.some((url) => url.endsWith('/openapi.json')));
    assert.deepEqual(browser.complaints, []);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await writeFile(`${folder}/reference.png`, await browser.screenshot());
  },
);

test(
  'a phone has the list of endpoints, and loads the script of the reference on a click',
  { skip },
  async () => {
    assert.ok(browser !== undefined);
    browser.requested.length = 0;
    await browser.look({ width: 390, scheme: 'light' });
    await browser.open(`${server.siteUrl}/reference/`);
    const hasScript = () => browser.requested.some((url) => url.endsWith('/scalar.js'));
    await eventually(async () => {
      const text = String(await browser.evaluate('document.body.innerText'));
      assert.match(
        text,
        /Load the interactive reference[^]*List the battles of a player\nGET \/api\/v1\/users\//,
      );
    });
    assert.equal(hasScript(), false);
    assert.equal(await browser.evaluate('document.documentElement.scrollWidth'), 390);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined)
      await writeFile(`${folder}/reference-390.png`, await browser.screenshot('whole'));
    await browser.evaluate(`document.querySelector('button').click()`);
    await eventually(async () => {
      const text = String(await browser.evaluate('document.body.innerText'));
      assert.doesNotMatch(text, /Load the interactive reference/);
    });
    assert.ok(hasScript());
    assert.deepEqual(browser.complaints, []);
    await browser.look({ width: 1_280, scheme: 'light' });
  },
);

test('a page of another origin reads answers, refusals and their headers', { skip }, async () => {
  assert.ok(browser !== undefined);
  // The reference's own policy lets it reach the API, which has another origin.
  const script = (authorization: string) => `
    fetch('${server.apiUrl.replace('127.0.0.1', 'localhost')}/api/v1/tournaments?limit=1', { headers: { Authorization: '${authorization}' } })
      .then(async (answer) => JSON.stringify([answer.status, answer.headers.get('etag'), answer.headers.get('x-request-id'), (await answer.text()).slice(0, 8)]))
      .catch((error) => String(error))`;
  const accepted = JSON.parse(String(await browser.evaluate(script(`Bearer ${key}`)))) as unknown[];
  assert.equal(accepted[0], 200);
  assert.match(String(accepted[1]), /^W\//);
  assert.match(String(accepted[2]), /^[0-9a-f-]{36}$/);
  const refused = JSON.parse(String(await browser.evaluate(script('Bearer x')))) as unknown[];
  assert.deepEqual([refused[0], refused[3]], [401, '{"error"']);
});

test('a guide breaks no rule of its policy', { skip }, async () => {
  assert.ok(browser !== undefined);
  browser.complaints.length = 0;
  await browser.open(`${server.siteUrl}/docs`);
  await eventually(async () =>
    assert.equal(await browser.evaluate('document.title'), 'Calling the API · Wartable'),
  );
  assert.deepEqual(browser.complaints, []);
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await writeFile(`${folder}/guide.png`, await browser.screenshot());
});
