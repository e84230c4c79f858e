import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyDigest } from '../../src/keys/key.ts';
import { type CommandResult, wartable } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
const run = (...args: string[]): Promise<CommandResult> => wartable(args, { DATABASE_URL: database.url });

test('keys create prints only the key on standard output, and only its digest is kept', async () => {
  const { code, stdout, stderr } = await run('keys', 'create', '--account', 'Club site');
  assert.equal(code, 0);
  assert.match(stdout, /^svc_v1_[0-9A-Za-z]{38}\n$/);
  const key = stdout.trim();
  assert.ok(!stderr.includes(key));
  assert.match(stderr, /^Key \d+ of account Club site\./);

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
  assert.match(stdout, /^id +account +state +created +keys$/m);
  assert.match(stdout, /^\d+ +Bot +active +\S+ +2$/m);
});

test('keys list shows ids, accounts and states, and never a key', async () => {
  const created = await run('keys', 'create', '--account', 'Overlay');
  const id = /^Key (\d+)/.exec(created.stderr)?.[1] ?? '';
  assert.match((await run('keys', 'list')).stdout, new RegExp(`^${id} +Overlay +\\S+ +never +active$`, 'm'));

  assert.equal((await run('accounts', 'deactivate', 'Overlay')).stdout, 'Account Overlay is inactive.\n');
  assert.match((await run('keys', 'list')).stdout, new RegExp(`^${id} +Overlay +.* account inactive$`, 'm'));

  assert.equal((await run('accounts', 'activate', 'Overlay')).stdout, 'Account Overlay is active.\n');
  assert.equal((await run('keys', 'revoke', id)).stdout, `Key ${id} is revoked.\n`);
  const { stdout } = await run('keys', 'list');
  assert.match(stdout, new RegExp(`^${id} +Overlay +.* revoked$`, 'm'));
  assert.ok(!stdout.includes('svc_v1_'));
});

test('mistakes exit non-zero and say what to do', async () => {
  const noKey = await run('keys', 'revoke', '999999');
  assert.deepEqual([noKey.code, noKey.stderr], [1, 'wartable: There is no key 999999.\n']);
  const noAccount = await run('accounts', 'deactivate', 'Nobody');
  assert.deepEqual([noAccount.code, noAccount.stderr], [1, 'wartable: There is no account Nobody.\n']);
  const pasted = await run('keys', 'revoke', 'svc_v1_0000');
  assert.equal(pasted.code, 2);
  assert.match(pasted.stderr, /must be the id of a key/);
  const blank = await run('keys', 'create', '--account', ' ');
  assert.equal(blank.code, 2);
  assert.match(blank.stderr, /must be a name of at most 200 characters/);
  assert.equal((await run('keys', 'create')).code, 2);
});
