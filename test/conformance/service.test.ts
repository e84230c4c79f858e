import assert from 'node:assert/strict';
import { openapi } from '../fits-the-contract.ts';
import { bearer } from '../server.ts';
import { rule } from './rule.ts';
import { startWorld } from './world.ts';

// What holds for the whole service: its rules, authentication, errors and versioning.

const world = await startWorld();
const everyPath = [
  '/tournaments',
  '/tournaments/grand-final',
  '/tournaments/grand-final/standings',
  '/tournaments/grand-final/participants',
  '/tournaments/grand-final/battles',
  '/clubs/lantern-street',
  '/clubs/lantern-street/tournaments',
  '/clubs/lantern-street/battles',
  '/users/p_1/battles',
  '/battles/final-0',
];
const lists = everyPath.filter((path) => !/(grand-final|lantern-street|standings|final-0)$/.test(path));

const service = 'Rules of the service';
rule(service, 'Every request needs an API key', async () => {
  for (const path of everyPath) assert.equal((await world.get(path, {})).status, 401, path);
});
rule(service, 'All responses are JSON', async () => {
  for (const path of [...everyPath, '/nowhere', '/tournaments?limit=0']) {
    const { headers, json } = await world.get(path);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(typeof json, 'object');
  }
});
rule(service, 'A list response has the form { data: [...], next: string | null }', async () => {
  assert.equal(lists.length, 6);
  for (const path of lists) {
    const body = (await world.get(path)).json as { data: unknown; next: unknown };
    assert.deepEqual(Object.keys(body), ['data', 'next']);
    assert.ok(Array.isArray(body.data) && (body.next === null || typeof body.next === 'string'));
  }
});
rule(service, 'A single-item response has the form { data: {...} } with no next', async () => {
  for (const path of ['/tournaments/grand-final', '/clubs/lantern-street', '/battles/final-0']) {
    const body = (await world.get(path)).json as { data: unknown };
    assert.deepEqual(Object.keys(body), ['data']);
    assert.ok(!Array.isArray(body.data));
  }
});
rule(service, 'The standings response is the exception: { stage, data }', async () => {
  const body = (await world.get('/tournaments/grand-final/standings')).json as object;
  assert.deepEqual(Object.keys(body), ['stage', 'data']);
});
rule(service, 'Only published tournaments are exposed', async () => {
  for (const path of ['', '/standings', '/participants', '/battles']) {
    assert.equal((await world.get(`/tournaments/not-published${path}`)).status, 404);
  }
});
rule(service, 'All paths start with /api/v1', async () => {
  for (const path of Object.keys(openapi.paths)) assert.match(path, /^\/api\/v1\//);
  const answer = await fetch(`${world.apiUrl}/tournaments`, { headers: bearer(world.key) });
  assert.equal(answer.status, 404);
});
rule(service, 'Links to pages of the website are absolute addresses in url fields', async () => {
  for (const path of ['/tournaments/grand-final', '/clubs/lantern-street', '/battles/final-0']) {
    const { data } = (await world.get(path)).json as { data: { url: string } };
    assert.ok(URL.canParse(data.url) && data.url.startsWith('http'));
  }
});
rule(service, 'All endpoints use the method GET', async () => {
  for (const path of everyPath) {
    const answer = await fetch(`${world.apiUrl}/api/v1${path}`, {
      method: 'POST',
      headers: bearer(world.key),
    });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
  }
});

const authentication = 'Authentication';
rule(authentication, 'Every request must carry the header Authorization: Bearer <API_KEY>', async () => {
  for (const path of everyPath) assert.equal((await world.get(path, bearer(world.key))).status, 200);
});
rule(
  authentication,
  'Every API key begins with svc_v1_; a key without the prefix is rejected with 401',
  async () => {
    assert.match(world.key, /^svc_v1_/);
    assert.equal((await world.get('/tournaments', bearer(world.key.slice('svc_v1_'.length)))).status, 401);
  },
);
const refusals: [condition: string, headers: Record<string, string>, message: string][] = [
  ['no header', {}, 'Missing or invalid Authorization header'],
  ['wrong format', { authorization: `Token ${world.key}` }, 'Missing or invalid Authorization header'],
  ['the key does not start with the prefix', bearer('sk_something'), 'Invalid API key format'],
  ['the key is unknown', bearer(`svc_v1_${'a'.repeat(38)}`), 'Invalid API key'],
];
for (const [condition, headers, message] of refusals) {
  rule(authentication, `"${message}" when ${condition}`, async () => {
    const { status, text } = await world.get('/tournaments', headers);
    assert.equal(status, 401);
    assert.equal(text, JSON.stringify({ error: { status: 401, message, code: 'UNAUTHORIZED' } }));
  });
}

const errors = 'Errors';
const missing: [condition: string, path: string, message: string][] = [
  ['the tournament does not exist or is not published', '/tournaments/nobody', 'Tournament not found'],
  ['so on its standings', '/tournaments/nobody/standings', 'Tournament not found'],
  ['so on its participants', '/tournaments/nobody/participants', 'Tournament not found'],
  ['so on its battles', '/tournaments/nobody/battles', 'Tournament not found'],
  ['the club does not exist', '/clubs/nobody', 'Club not found'],
  ['so on its tournaments', '/clubs/nobody/tournaments', 'Club not found'],
  ['so on its battles', '/clubs/nobody/battles', 'Club not found'],
  ['the player does not exist', '/users/nobody/battles', 'Player not found'],
  ['the battle does not exist', '/battles/nobody', 'Battle not found'],
  [
    'the stage is unknown: the message lists the ids there are',
    '/tournaments/grand-final/standings?stage=final',
    'Unknown stage. Stages of this tournament: swiss, knockout, placement-swiss, placement-3, placement-5-8, standings',
  ],
  ['the tournament has no stages', '/tournaments/undated/standings', 'This tournament has no stages'],
];
for (const [condition, path, message] of missing) {
  rule(errors, `404 when ${condition} (\`${path}\`)`, async () => {
    assert.deepEqual(await world.refusal(path), { status: 404, message, code: 'NOT_FOUND' });
  });
}
const invalid: [condition: string, query: string, message: string][] = [
  ['an invalid limit', 'limit=abc', 'limit must be a positive integer'],
  ['a limit of zero', 'limit=0', 'limit must be a positive integer'],
  ['a limit too large', 'limit=101', 'limit must not exceed 100'],
  ['a malformed cursor', 'cursor=abc', 'Invalid cursor'],
];
for (const [condition, query, message] of invalid) {
  rule(errors, `"${message}" for ${condition}, on every list`, async () => {
    for (const path of lists) {
      assert.deepEqual(await world.refusal(`${path}?${query}`), {
        status: 400,
        message,
        code: 'BAD_REQUEST',
      });
    }
  });
}

rule('Versioning', 'The interface version is part of the path prefix /api/v1', async () => {
  const answer = await fetch(`${world.apiUrl}/api/v2/tournaments`, { headers: bearer(world.key) });
  assert.equal(answer.status, 404);
});
rule('Versioning', 'API keys carry the version marker v1 in their prefix', () => {
  assert.match(world.key, /^svc_v1_/);
});
