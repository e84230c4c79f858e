import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyForAccount, revokeKey, setAccount, setAccountActive } from '../../src/keys/store.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const { pool } = database;
const client = await pool.connect();
atEnd(async () => client.release());
await importLines(client, [
  { kind: 'tournament', slug: 'cup', name: 'Cup', published: true, status: 'planned', battleSize: 2000 },
]);

const recorded = async (): Promise<string[]> => {
  const { rows } = await pool.query(
    "select concat_ws(' | ', action, kind, thing) as entry from audit.entry order by id",
  );
  return rows.map(({ entry }) => entry as string);
};

test('every action is recorded once, and one that changes nothing is not recorded', async () => {
  const { id } = await createKeyForAccount(pool, 'Ann Lee');
  const { rows } = await pool.query<{ id: string }>('select id from keys.account');
  const account = rows[0]?.id;
  for (let twice = 0; twice < 2; twice += 1) await setAccountActive(pool, 'Ann Lee', false);
  for (let twice = 0; twice < 2; twice += 1) await setAccountActive(pool, 'Ann Lee', true);
  for (const changes of [{ contact: 'a@b.example' }, { contact: 'a@b.example' }, {}, { limit: null }])
    await setAccount(pool, 'Ann Lee', changes);
  for (let twice = 0; twice < 2; twice += 1) await setAccount(pool, 'Ann Lee', { limit: 60 });
  for (let twice = 0; twice < 2; twice += 1) await revokeKey(pool, id);
  for (let twice = 0; twice < 2; twice += 1) await setPublished(pool, 'cup', false);
  for (let twice = 0; twice < 2; twice += 1) await setPublished(pool, 'cup', true);
  await setPublished(pool, 'no-cup', true);
  await revokeKey(pool, '999');
  assert.deepEqual(await recorded(), [
    `key created | key | ${id}`,
    `account deactivated | account | ${account}`,
    `account activated | account | ${account}`,
    `account changed | account | ${account}`,
    `account changed | account | ${account}`,
    `key revoked | key | ${id}`,
    'tournament hidden | tournament | cup',
    'tournament shown | tournament | cup',
  ]);
});

test('no action is done that cannot be recorded', async () => {
  const { id } = await createKeyForAccount(pool, 'Bot');
  const state = `select to_jsonb(k) as key, to_jsonb(a) as account, t.published
    from keys.key k join keys.account a on a.id = account_id, record.tournament t order by k.id`;
  const before = (await pool.query(state)).rows;
  await pool.query('alter function audit.note rename to gone');
  for (const action of [
    () => createKeyForAccount(pool, 'Bot'),
    () => revokeKey(pool, id),
    () => setAccountActive(pool, 'Bot', false),
    () => setAccount(pool, 'Bot', { limit: 1 }),
    () => setPublished(pool, 'cup', false),
  ]) {
    await assert.rejects(action, { code: '42883' });
  }
  await pool.query('alter function audit.gone rename to note');
  assert.deepEqual((await pool.query(state)).rows, before);
});

test('wartable audit shows the entries, the oldest first, and never the name of an account or a key', async () => {
  const run = (...args: string[]) => wartable(['audit', ...args], { DATABASE_URL: database.url });
  await pool.query(
    "update audit.entry set at = '2026-01-02T03:04:05.678Z' where action = 'tournament hidden'",
  );
  const login = new URL(database.url).username;
  const { stdout, code } = await run();
  assert.equal(code, 0);
  assert.match(stdout, /^at +login +action +kind +thing$/m);
  assert.match(
    stdout,
    new RegExp(`^2026-01-02T03:04:05Z +${login} +tournament hidden +tournament +cup$`, 'm'),
  );
  assert.ok(!/Ann|Bot|svc_/.test(stdout), stdout);

  const { installation, since, entries } = JSON.parse((await run('--since', '1h', '--json')).stdout) as {
    installation: string;
    since: string;
    entries: { at: string; action: string }[];
  };
  assert.match(installation, /^[0-9a-f-]{36}$/);
  assert.match(since, /^\d{4}-/);
  const whole = JSON.parse((await run('--json')).stdout) as object;
  assert.deepEqual({ ...whole, entries: [] }, { installation, since: null, entries: [] });
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      'key created',
      'account deactivated',
      'account activated',
      'account changed',
      'account changed',
      'key revoked',
      'tournament shown',
      'key created',
    ],
  );
  const { at, ...created } = entries[0] ?? { at: '' };
  assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(created, { login, action: 'key created', kind: 'key', thing: '1' });
});
