import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowClock } from '../../harness/support/clock.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { bearer, eventually, startTestServer } from '../../harness/support/server.ts';

// A portal has a login that only issues keys, and there are three instances.

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_keys') };
const login = await database.loginAs('wartable_serve');
const servers = [await startTestServer(login), await startTestServer(login), await startTestServer(login)];
const statuses = (key: string): Promise<number[]> =>
  Promise.all(servers.map(async (server) => (await server.get('/api/v1/tournaments', bearer(key))).status));
const keys = (...args: string[]) => wartable(['keys', ...args], environment);

test('a key of the portal works at once everywhere, is rotated, listed and revoked', async (t) => {
  slowClock(t);
  const { stdout } = await keys('create', '--account', 'Ana', '--label', 'bot', '--json');
  const made = JSON.parse(stdout) as { id: string; key: string; account: string; expiresAt: null };
  assert.deepEqual([made.account, made.expiresAt], ['Ana', null]);
  assert.deepEqual(await statuses(made.key), [200, 200, 200]);
  const next = (await keys('rotate', made.id, '--overlap', '1h')).stdout.trim();
  assert.deepEqual(await statuses(next), [200, 200, 200]);
  assert.deepEqual(await statuses(made.key), [200, 200, 200]);
  const again = await keys('rotate', made.id);
  assert.match(again.stderr, /was rotated already: rotate key \d+, which follows it/);
  const listed = JSON.parse((await keys('list', '--json')).stdout) as { label: string; state: string }[];
  assert.deepEqual(
    listed.map(({ label, state }) => [label, state]),
    [
      ['bot', 'active'],
      ['bot', 'active'],
    ],
  );
  assert.equal((await keys('revoke', made.id)).code, 0);
  await eventually(async () => assert.deepEqual(await statuses(made.key), [401, 401, 401]));
  assert.match((await keys('rotate', '99')).stderr, /There is no key 99/);
  assert.equal((await keys('revoke', '99')).code, 1);
});

test('it may not touch accounts or anything else', async () => {
  for (const args of [
    ['accounts', 'list'],
    ['accounts', 'deactivate', 'Ana'],
    ['audit'],
    ['import', '-'],
    ['publish'],
  ]) {
    const { code } = await wartable(args, environment);
    assert.equal(code, 2, args.join(' '));
  }
});
