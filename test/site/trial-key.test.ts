import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey } from '../../src/keys/key.ts';
import { readConfig } from '../../src/config/config.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { createTestKey, startTestServer } from '../../harness/support/server.ts';

// What the site offers to programs, and to callers who have no key yet.

const database = await createTestDatabase();
const url = await database.loginAs('wartable_serve');
const { key: trialKey } = await createTestKey(database, 'trial');
const contactUrl = 'mailto:desk@example.org';
const open = await startTestServer(url, { trialKey, contactUrl });
const closed = await startTestServer(url, { contactUrl: undefined });
const textAt = async (path: string, { siteUrl } = open) => (await fetch(`${siteUrl}${path}`)).text();

test('the guides, their Markdown and the reference show the trial key, and no other page does', async () => {
  for (const path of ['/docs', '/docs.md', '/docs/first-request', '/docs/first-request.md', '/reference/'])
    assert.ok((await textAt(path)).includes(trialKey), path);
  for (const path of ['/', '/docs/paging', '/openapi.json', '/llms.txt'])
    assert.ok(!(await textAt(path)).includes(trialKey), path);
  assert.match(await textAt('/docs'), /is a key to try with\. Everybody shares it/);
});

test('without a trial key, the guides say whom to ask', async () => {
  for (const path of ['/docs', '/docs/first-request'])
    assert.match(await textAt(path, closed), /You need an API key: ask the operator for one/);
  assert.match(await textAt('/docs', closed), /Bearer \$KEY&quot; &quot;http/);
  assert.doesNotMatch(await textAt('/reference/', closed), /securitySchemes/);
});

test('a wrong trial key stops the server without being repeated', () => {
  const given = `${createKey()}x`;
  const environment = { DATABASE_URL: 'postgres://a@b/c', TRIAL_KEY: given };
  assert.throws(
    () => readConfig(environment),
    (error: Error) => /TRIAL_KEY must be an API key/.test(error.message) && !error.message.includes(given),
  );
});

test('each guide is Markdown at its address with .md, and every link in it leads somewhere', async () => {
  const list = await textAt('/llms.txt');
  const guides = [...list.matchAll(/\((\S+\/docs\/[\w-]+\.md)\)/g)].map(([, address = '']) => address);
  assert.ok(guides.length >= 14, list);
  for (const address of [...guides, `${open.public.siteUrl}/docs.md`]) {
    const answer = await fetch(address.replace(open.public.siteUrl, open.siteUrl));
    assert.equal(answer.headers.get('content-type'), 'text/markdown; charset=utf-8');
    const text = await answer.text();
    assert.match(text, /^# /);
    for (const [, target = ''] of text.matchAll(/\]\((\S+?)(?:#[\w-]+)?\)/g)) {
      if (target === '') continue;
      assert.match(target, /^https?:/, address);
      if (!target.startsWith(open.public.siteUrl)) continue;
      const linked = await fetch(target.replace(open.public.siteUrl, open.siteUrl));
      assert.equal(linked.status, 200, `${target} in ${address}`);
    }
  }
});

test('security.txt names the contact and a date that has not passed, or there is none', async () => {
  const text = await textAt('/.well-known/security.txt');
  assert.match(text, /^Contact: mailto:desk@example\.org$/m);
  const [, expires = ''] = /^Expires: (\S+)$/m.exec(text) ?? [];
  assert.ok(Date.parse(expires) > Date.now() && Date.parse(expires) < Date.now() + 365 * 86_400_000);
  assert.match(text, /^Canonical: \S+\/\.well-known\/security\.txt$/m);
  assert.equal((await fetch(`${closed.siteUrl}/.well-known/security.txt`)).status, 404);
});
