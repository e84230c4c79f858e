import assert from 'node:assert/strict';
import { openapi } from '../../harness/support/fits-the-contract.ts';
import { bearer } from '../../harness/support/server.ts';
import { everyPath, items, lists } from './paths.ts';
import { rule } from './rule.ts';
import { type Page, startWorld } from './world.ts';

// Tests what applies to the whole service, and its version.

const world = await startWorld();

const service = 'Rules of the service';
rule(service, 'Every request needs an API key', async () => {
  for (const path of everyPath) {
    assert.equal((await world.get(path, {})).status, 401, path);
    assert.equal((await world.get(path)).status, 200, path);
  }
});
rule(service, 'All responses are JSON', async () => {
  for (const path of [...everyPath, '/nowhere', '/clubs/nobody', '/tournaments?limit=0']) {
    for (const headers of [bearer(world.key), {}]) {
      const answer = await world.get(path, headers);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(typeof answer.json, 'object');
    }
  }
});
rule(service, 'A list response has the form { data: [...], next: string | null }', async () => {
  for (const path of lists) {
    const first = (await world.get(path)).json as Page;
    assert.deepEqual(Object.keys(first), ['data', 'next']);
    assert.ok(Array.isArray(first.data));
    assert.equal(typeof first.next, 'string', path);
  }
  assert.deepEqual((await world.get('/users/quiet/battles')).json, { data: [], next: null });
});
rule(service, 'A single-item response has the form { data: {...} } with no next', async () => {
  for (const path of items) {
    const body = (await world.get(path)).json as { data: unknown };
    assert.deepEqual(Object.keys(body), ['data']);
    assert.ok(typeof body.data === 'object' && !Array.isArray(body.data));
  }
});
rule(service, 'The standings response is the exception: { stage, data }', async () => {
  const body = (await world.get('/tournaments/grand-muster/standings')).json as object;
  assert.deepEqual(Object.keys(body), ['stage', 'data']);
});
rule(service, 'Only published tournaments are exposed', async () => {
  for (const path of ['', '/standings', '/participants', '/battles']) {
    const hidden = await world.get(`/tournaments/hidden-cup${path}`);
    const never = await world.get(`/tournaments/never-was${path}`);
    assert.deepEqual([hidden.status, hidden.text], [404, never.text]);
  }
  assert.equal((await world.get('/battles/hidden-1')).text, (await world.get('/battles/never-was')).text);
  for (const path of ['/tournaments', '/clubs/lantern-street/tournaments']) {
    assert.ok((await world.all(path)).every(({ slug }) => slug !== 'hidden-cup'));
  }
  for (const path of ['/clubs/lantern-street/battles', '/users/ana/battles']) {
    assert.ok((await world.all(path)).every(({ id }) => id !== 'hidden-1'));
  }
  await world.tell({ kind: 'tournament', slug: 'hidden-cup', published: true });
  assert.equal((await world.item('/tournaments/hidden-cup'))['name'], 'Hidden Cup');
  assert.equal((await world.item('/battles/hidden-1'))['tournament'], 'hidden-cup');
});
rule(service, 'All paths start with /api/v1', async () => {
  for (const path of Object.keys(openapi.paths)) assert.match(path, /^\/api\/v1\//);
  for (const path of everyPath) {
    const answer = await fetch(`${world.apiUrl}${path}`, { headers: bearer(world.key) });
    assert.equal(answer.status, 404);
  }
});
rule(
  service,
  'Links to pages of the public website are given in url fields as absolute addresses',
  async () => {
    const links = await Promise.all(items.map(async (path) => (await world.item(path))['url']));
    assert.deepEqual(links, [
      'https://wartable.example/tournaments/grand-muster',
      'https://wartable.example/clubs/lantern-street',
      'https://wartable.example/battles/gm-r1-1',
    ]);
  },
);

rule('Versioning', 'The interface version is part of the path prefix /api/v1', async () => {
  for (const version of ['v1', 'v2']) {
    const answer = await fetch(`${world.apiUrl}/api/${version}/tournaments`, { headers: bearer(world.key) });
    assert.equal(answer.status, version === 'v1' ? 200 : 404);
  }
});
rule('Versioning', 'API keys carry the version marker v1 in their prefix', async () => {
  assert.match(world.key, /^svc_v1_/);
  const another = bearer(world.key.replace('svc_v1_', 'svc_v2_'));
  const { json } = await world.get('/tournaments', another);
  assert.deepEqual(json, { error: { status: 401, message: 'Invalid API key format', code: 'UNAUTHORIZED' } });
});
