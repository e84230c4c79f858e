import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyDigest } from '../../src/keys/key.ts';
import { createKeyForAccount, listKeys, revokeKey, rotateKey } from '../../src/keys/store.ts';
import { type CommandResult, wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';

const database = await createTestDatabase();
const run = (...args: string[]): Promise<CommandResult> => wartable(args, { DATABASE_URL: database.url });

test('keys create prints only the key on standard output, and only its digest is kept', async () => {
  const { code, stdout, stderr } = await run('keys', 'create', '--account', 'Club site');
  assert.equal(code, 0);
  assert.match(stdout, /^svc_v1_[0-9A-Za-z]{38}\n$/);
  const key = stdout.trim();
  assert.ok(!stderr.includes(key));
  assert.match(stderr, /^This is key \d+ of account Club site\./);

  const { rows } = await database.pool.query(
    'select to_jsonb(key) || to_jsonb(account) as stored, digest from keys.key, keys.account',
  );
  assert.equal(rows.length, 1);
  assert.deepEqual(rows[0].digest, keyDigest(key));
  assert.ok(!JSON.stringify(rows[0].stored).includes(key.slice('svc_v1_'.length)));
});

test('a second key of the same account makes no second account', async () => {
  await run('keys', 'create', '--account', 'Bot');
  await run('keys', 'create', '--account', 'Bot');
  const { stdout } = await run('accounts', 'list');
  assert.match(stdout, /^id +account +contact +state +limit +created +keys$/m);
  assert.match(stdout, /^\d+ +Bot +- +active +- +\S+ +2$/m);
});

test('keys list shows ids, accounts and states, and never a key', async () => {
  const created = await run('keys', 'create', '--account', 'Overlay');
  const id = /^This is key (\d+)/.exec(created.stderr)?.[1] ?? '';
  assert.match(
    (await run('keys', 'list')).stdout,
    new RegExp(`^${id} +Overlay +- +- +\\S+ +never +never +active$`, 'm'),
  );

  assert.equal((await run('accounts', 'deactivate', 'Overlay')).stdout, 'Account Overlay is inactive.\n');
  assert.match((await run('keys', 'list')).stdout, new RegExp(`^${id} +Overlay +.* account inactive$`, 'm'));

  assert.equal((await run('accounts', 'activate', 'Overlay')).stdout, 'Account Overlay is active.\n');
  assert.equal((await run('keys', 'revoke', id)).stdout, `Key ${id} is revoked.\n`);
  const { stdout } = await run('keys', 'list');
  assert.match(stdout, new RegExp(`^${id} +Overlay +.* revoked$`, 'm'));
  assert.ok(!stdout.includes('svc_v1_'));
});

test('a key has a label, a contact and an end, in the table and as JSON', async () => {
  const { stderr } = await run('keys', 'create', '--account', 'Lee', '--label', 'phone', '--expires', '90d');
  const [, id = '', end = ''] = /^This is key (\d+) .* It expires (\S+)\.\n$/.exec(stderr) ?? [];
  const days = (Date.parse(end) - Date.now()) / 86_400_000;
  assert.ok(days > 89.9 && days < 90.1, end);
  assert.equal(
    (await run('accounts', 'set', 'Lee', '--contact', 'lee@example.org')).stdout,
    'Account Lee has a new contact.\n',
  );
  const [table, keysJson, accountsJson] = (await Promise.all(
    [
      ['keys', 'list'],
      ['keys', 'list', '--json'],
      ['accounts', 'list', '--json'],
    ].map(async (args) => (await run(...args)).stdout),
  )) as [string, string, string];
  assert.match(table, /^id +account +label +contact +created +expires +last used +state$/m);
  assert.match(table, new RegExp(`^${id} +Lee +phone +lee@example.org +\\S+ +${end} +never +active$`, 'm'));

  const listed = JSON.parse(keysJson) as { id: string }[];
  const { createdAt, expiresAt, ...rest } = { createdAt: '', expiresAt: '', ...listed.at(-1) };
  assert.ok(Date.parse(createdAt) < Date.parse(expiresAt));
  assert.deepEqual(rest, {
    id,
    account: 'Lee',
    label: 'phone',
    contact: 'lee@example.org',
    lastUsedAt: null,
    revokedAt: null,
    rotatedTo: null,
    state: 'active',
  });
  const accounts = JSON.parse(accountsJson) as { name: string }[];
  assert.deepEqual(
    accounts.map(({ name }) => name),
    ['Bot', 'Club site', 'Lee', 'Overlay'],
  );
});

test('a rotated key ends after the overlap, and the next one has its account, label and length of life', async () => {
  const { pool } = database;
  const expiresAt = new Date(Date.now() + 30 * 86_400_000);
  const old = await createKeyForAccount(pool, 'Turn', { label: 'stream', expiresAt });
  const { code, stdout, stderr } = await run('keys', 'rotate', old.id, '--overlap', '12h');
  assert.equal(code, 0);
  assert.match(stdout, /^svc_v1_[0-9A-Za-z]{38}\n$/);
  const told = /^Key \d+ expires \S+Z\.\nThis is key (\d+) of account Turn\..* It expires \S+Z\.\n$/;
  const next = told.exec(stderr)?.[1] ?? '';
  const keys = (await listKeys(pool)).filter(({ account }) => account === 'Turn');
  const hoursLeft = keys.map((key) => Math.round((Number(key.expiresAt) - Date.now()) / 3_600_000));
  assert.deepEqual(hoursLeft, [12, 720]);
  assert.deepEqual(
    keys.map(({ id, label, rotatedTo, state }) => [id, label, rotatedTo, state]),
    [
      [old.id, 'stream', next, 'active'],
      [next, 'stream', null, 'active'],
    ],
  );
  const { rows } = await pool.query('select action, thing from audit.entry order by id desc limit 2');
  assert.deepEqual(rows, [
    { action: 'key rotated', thing: old.id },
    { action: 'key created', thing: next },
  ]);
  const again = await run('keys', 'rotate', old.id);
  assert.deepEqual(
    [again.code, again.stderr],
    [1, `wartable: Key ${old.id} was rotated already: rotate key ${next}, which follows it.\n`],
  );
});

test('rotating never makes a key live longer, and a key that works no more is not rotated', async () => {
  const { pool } = database;
  const overlapMs = 7 * 86_400_000;
  const soon = new Date(Date.now() + 60_000);
  const ending = await createKeyForAccount(pool, 'Turn', { expiresAt: soon });
  const rotated = await rotateKey(pool, ending.id, { overlapMs, expiresAt: soon });
  assert.ok('next' in rotated);
  assert.deepEqual([rotated.oldExpiresAt, rotated.next.expiresAt], [soon, soon]);
  const endless = await createKeyForAccount(pool, 'Turn');
  const both = await Promise.all([1, 2].map(() => rotateKey(pool, endless.id, { overlapMs })));
  assert.equal(both.filter((each) => 'next' in each && each.next.expiresAt === null).length, 1);
  assert.equal(both.filter((each) => 'refused' in each).length, 1);

  const { id } = rotated.next;
  await pool.query('update keys.key set expires_at = now() where id = $1', [id]);
  const expired = { refused: `Key ${id} has expired: create a new key.` };
  assert.deepEqual(await rotateKey(pool, id, { overlapMs }), expired);
  assert.equal((await listKeys(pool)).find((key) => key.id === id)?.state, 'expired');

  const revoked = await createKeyForAccount(pool, 'Turn');
  await revokeKey(pool, revoked.id);
  assert.deepEqual(await rotateKey(pool, revoked.id, { overlapMs }), {
    refused: `Key ${revoked.id} is revoked: create a new key.`,
  });
  assert.deepEqual(await rotateKey(pool, '999999', { overlapMs }), {
    refused: 'There is no key 999999: `wartable keys list` shows all keys.',
  });
});

test('mistakes exit non-zero and say what to do', async () => {
  const noKey = await run('keys', 'revoke', '999999');
  assert.deepEqual(
    [noKey.code, noKey.stderr],
    [1, 'wartable: There is no key 999999: `wartable keys list` shows all keys.\n'],
  );
  const noAccount = await run('accounts', 'deactivate', 'Nobody');
  assert.deepEqual(
    [noAccount.code, noAccount.stderr],
    [1, 'wartable: There is no account Nobody: `wartable accounts list` shows all accounts.\n'],
  );
  const pasted = await run('keys', 'revoke', 'svc_v1_0000');
  assert.equal(pasted.code, 2);
  assert.match(pasted.stderr, /^wartable: Give the id of the key, a number/);
  assert.ok(!pasted.stderr.includes('svc_v1_'));
  const blank = await run('keys', 'create', '--account', ' ');
  assert.equal(blank.code, 2);
  assert.match(blank.stderr, /must be a text of at most 200 characters/);
  assert.equal((await run('keys', 'create')).code, 2);
});
