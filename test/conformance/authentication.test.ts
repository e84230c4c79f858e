import assert from 'node:assert/strict';
import { createKey } from '../../src/keys/key.ts';
import { revokeKey, setAccountActive } from '../../src/keys/store.ts';
import { bearer, createTestKey } from '../../harness/support/server.ts';
import { everyPath } from './paths.ts';
import { rule } from './rule.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
const { pool } = world.database;
const revoked = await createTestKey(world.database);
await revokeKey(pool, revoked.id);
const left = await createTestKey(world.database, 'left');
await setAccountActive(pool, 'left', false);

const section = 'Authentication';
rule(section, 'Every request must carry the header Authorization: Bearer <API_KEY>', async () => {
  for (const path of everyPath) {
    assert.equal((await world.get(path, { authorization: `Bearer ${world.key}` })).status, 200, path);
    assert.equal((await world.get(path, { 'x-api-key': world.key })).status, 401, path);
    assert.equal((await world.get(`${path}?api_key=${world.key}`, {})).status, 401, path);
  }
});
rule(
  section,
  'Every API key begins with the fixed prefix svc_v1_; a key without the prefix is rejected with status 401',
  async () => {
    for (const { key } of [revoked, left, world]) assert.match(key, /^svc_v1_/);
    assert.equal((await world.get('/tournaments', bearer(world.key.slice('svc_v1_'.length)))).status, 401);
  },
);

const noHeader = 'Missing or invalid Authorization header';
const noPrefix = 'Invalid API key format';
const noKey = 'Invalid API key';
const failures: [message: string, condition: string, headers: Record<string, string>][] = [
  [noHeader, 'there is no header', {}],
  [noHeader, 'its format is wrong: another scheme', { authorization: `Basic ${world.key}` }],
  [noHeader, 'its format is wrong: no scheme', { authorization: world.key }],
  [noHeader, 'its format is wrong: no key', { authorization: 'Bearer' }],
  [noPrefix, 'the key does not start with the prefix', bearer(world.key.replace('svc_', 'key_'))],
  [noKey, 'the key is unknown', bearer(createKey())],
  [noKey, 'the key is deactivated', bearer(revoked.key)],
  [noKey, "the key's account is no longer active", bearer(left.key)],
];
rule(section, 'Failures return HTTP 401 with the body { error: { status, message, code } }', async () => {
  for (const [, condition, headers] of failures) {
    const { status, json } = await world.get('/tournaments', headers);
    const { error } = json as { error: Record<string, unknown> };
    assert.deepEqual([status, Object.keys(json as object)], [401, ['error']], condition);
    assert.deepEqual(Object.keys(error), ['status', 'message', 'code']);
    assert.deepEqual([error['status'], error['code']], [401, 'UNAUTHORIZED']);
  }
});
for (const [message, condition, headers] of failures) {
  rule(section, `"${message}" when ${condition}`, async () => {
    for (const path of ['/tournaments', '/battles/gm-r1-1', '/nowhere']) {
      const { text } = await world.get(path, headers);
      assert.equal(text, JSON.stringify({ error: { status: 401, message, code: 'UNAUTHORIZED' } }), path);
    }
  });
}
rule(section, 'The messages are distinguishable only by text', async () => {
  const others = await Promise.all(
    failures.map(async ([message, , headers]) => {
      const answer = await world.get('/tournaments', headers);
      const names = [...answer.headers.keys()].toSorted().join();
      return [answer.status, names, answer.text.replace(`"${message}"`, '""')].join('\n');
    }),
  );
  assert.equal(new Set(others).size, 1);
});
