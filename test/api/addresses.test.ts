import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { bearer, createTestKey, startTestServer, testCursorSecret } from '../../harness/support/server.ts';

// Addresses are settings of the server, of which recording and publishing know nothing.

const database = await createTestDatabase();
const publishing = await database.loginAs('wartable_publish');
const serving = await database.loginAs('wartable_serve');
const { key } = await createTestKey(database);

const answersWithAddresses = [
  '/api/v1/tournaments',
  '/api/v1/tournaments/tidewatch-open-2025',
  '/api/v1/tournaments/tidewatch-open-2025/battles',
  '/api/v1/clubs/tidewatch',
  '/api/v1/clubs/tidewatch/tournaments',
  '/api/v1/clubs/tidewatch/battles',
];

test('an import without SITE_URL after one with it writes the same documents', async () => {
  await wartable(['import', '-'], { DATABASE_URL: publishing, SITE_URL: 'https://a.example' }, exampleFeed());
  const before = await documents();
  assert.ok(before.length > 5);
  assert.doesNotMatch(before.join(), /"url":"h/);
  const all = await wartable(['publish', '--all'], { DATABASE_URL: publishing });
  assert.match(all.stdout, /, 0 rows written, 0 failed/);
  assert.deepEqual(await documents(), before);
});

test('the import stamped the version of its documents, so a plain publish derives nothing again', async () => {
  const { stdout } = await wartable(['publish'], { DATABASE_URL: publishing });
  assert.equal(stdout, '0 published, 0 rows written, 0 failed.\n');
});

test('an import beside older documents leaves the stamp alone', async () => {
  await database.pool.query('update published.derivation set version = 0');
  await wartable(['import', '-'], { DATABASE_URL: publishing }, exampleFeed());
  const { rows } = await database.pool.query('select version from published.derivation');
  assert.deepEqual(rows, [{ version: 0 }, { version: 0 }]);
  const { stdout } = await wartable(['publish'], { DATABASE_URL: publishing });
  assert.match(stdout, /^[1-9]\d* published, 0 rows written, 0 failed/);
});

test('each server gives its own addresses, under tags of its own; the rest is the same', async () => {
  const [first, second] = [
    await startTestServer(serving, { siteUrl: 'https://one.example' }),
    await startTestServer(serving, { siteUrl: 'https://two.example/results' }),
  ];
  for (const path of answersWithAddresses) {
    const one = await first.get(path, bearer(key));
    const two = await second.get(path, bearer(key));
    assert.equal(one.status, 200, path);
    assert.ok(urlsIn(one.json).length > 0, path);
    for (const url of urlsIn(one.json))
      assert.match(url, /^https:\/\/one\.example\/(tournaments|clubs|battles)\/[\w-]+$/);
    assert.deepEqual(
      urlsIn(two.json),
      urlsIn(one.json).map((url) => url.replace('https://one.example', 'https://two.example/results')),
    );
    assert.notEqual(two.headers.get('etag'), one.headers.get('etag'), path);
  }
});

test('serve with a public API_URL and no SITE_URL stops with one sentence', async () => {
  const { code, stdout, stderr } = await wartable(['serve'], {
    DATABASE_URL: serving,
    CURSOR_SECRETS: testCursorSecret,
    API_URL: 'https://api.example',
    API_PORT: '0',
    SITE_PORT: '0',
    OPS_PORT: '0',
  });
  assert.notEqual(code, 0);
  assert.equal(stdout, '');
  assert.equal(
    stderr,
    'wartable: SITE_URL is not set, but API_URL is a public address: set SITE_URL to the public address of the site, because every `url` begins with it.\n',
  );
});

async function documents(): Promise<string[]> {
  const { rows } = await database.pool.query<{ document: string }>(`
    select document from published.tournament union all select document from published.club
    union all select document from published.battle union all select document from published.battle_detail
    order by 1`);
  return rows.map(({ document }) => document);
}

function urlsIn(json: unknown): string[] {
  return [...JSON.stringify(json).matchAll(/"url":"([^"]*)"/g)].map(([, url = '']) => url);
}
