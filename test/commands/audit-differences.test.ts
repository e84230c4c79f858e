import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { restoredCopy } from '../../harness/support/restored-copy.ts';

// What becomes of saved entries if operators have already done something else in the restored database.

const database = await createTestDatabase();
const client = await database.pool.connect();
const cup = { name: 'Cup', published: true, status: 'planned', battleSize: 2000 };
await importLines(
  client,
  ['cup', 'open'].map((slug) => ({ kind: 'tournament', slug, ...cup })),
);
client.release();
const run = async (url: string, ...lines: string[]) => {
  let said = '';
  for (const line of lines) {
    const result = await wartable(line.split(' '), { DATABASE_URL: url });
    assert.equal(result.code, 0, `${line}: ${result.stderr}`);
    said = result.stdout;
  }
  return said;
};
for (const account of ['Ann', 'Beta', 'Gamma']) await run(database.url, `keys create --account ${account}`);
const { url: restoredUrl, pool: restored } = await restoredCopy(database.url);
await run(
  database.url,
  'keys revoke 1',
  'accounts deactivate Beta',
  'accounts deactivate Gamma',
  'tournaments unpublish cup',
  'tournaments unpublish open',
  'tournaments publish open',
);
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-differences-'));
atEnd(() => rm(folder, { recursive: true }));
const file = path.join(folder, 'audit.json');
await writeFile(file, await run(database.url, 'audit --json'));

await run(
  restoredUrl,
  // The revived key is rotated twice, so whoever stole it may have keys 4 and 5.
  'keys rotate 1',
  'keys rotate 4',
  'accounts set Beta --limit 50',
  'accounts deactivate Gamma',
  'accounts activate Gamma',
  'tournaments unpublish cup',
  'tournaments publish cup',
  'tournaments unpublish open',
);
const doctor = async () =>
  (await wartable(['doctor', '--audit', file], { DATABASE_URL: restoredUrl })).stdout;
const replay = () => run(restoredUrl, `audit replay ${file}`);
const state = async () => {
  const { rows: keys } = await restored.query<{ id: string; state: string }>(
    'select id, state from keys.list_keys()',
  );
  const { rows: shown } = await restored.query<{ slug: string }>(
    'select slug from record.tournament where published order by slug',
  );
  return { keys: keys.map(({ state: each }) => each), shown: shown.map(({ slug }) => slug) };
};

test('a limit and a rotation contradict neither a deactivation nor a revocation, whose successors are revoked, too', async () => {
  const said = await replay();
  assert.match(said, /^Repeated:\n.* key revoked 1; also revoked: .* 4, 5\n.* account deactivated 2\n/);
  assert.deepEqual(await state(), {
    keys: ['revoked', 'account inactive', 'active', 'revoked', 'revoked'],
    // The last entry of the file shows the tournament `open`. Here it was hidden, and stays so.
    shown: ['cup'],
  });
  const { rows } = await restored.query(
    `select thing from audit.entry where action = 'key revoked' order by thing`,
  );
  assert.deepEqual(rows, [{ thing: '1' }, { thing: '4' }, { thing: '5' }]);
});

test('what was opened since the restore stays open, but is a fault until the operator has decided', async () => {
  const said = await replay();
  assert.match(
    said,
    /^Skipped, although .*:\n.* account deactivated 3; here: account activated 3 at .*\n.* tournament hidden cup; here: .*\n$/m,
  );
  assert.match(
    await doctor(),
    /^fault: .* opened what the file has closed: account deactivated 3, tournament hidden cup\. /m,
  );
  await run(restoredUrl, 'accounts deactivate Gamma', 'tournaments unpublish cup');
  assert.match(
    await doctor(),
    /^fault: The database has forgotten account deactivated 3, tournament hidden cup: /m,
  );
  await replay();
  assert.deepEqual((await state()).shown, []);
  await run(restoredUrl, 'tournaments publish cup');
  assert.doesNotMatch(await doctor(), /forgotten|opened/);
  await replay();
  assert.deepEqual((await state()).shown, ['cup']);
});

test('a key that was rotated before the backup takes none of its successors with it when it is revoked', async () => {
  const other = await createTestDatabase();
  await run(other.url, 'keys create --account Ann', 'keys rotate 1');
  const copy = await restoredCopy(other.url);
  // The caller has changed to key 2, so the end of the old key comes early.
  await run(other.url, 'keys revoke 1');
  await writeFile(file, await run(other.url, 'audit --json'));
  await run(copy.url, 'keys rotate 2');
  assert.match(await run(copy.url, `audit replay ${file}`), /^Repeated:\n.* key revoked 1\n$/);
  const { rows } = await copy.pool.query('select id, state from keys.list_keys()');
  assert.deepEqual(rows, [
    { id: '1', state: 'revoked' },
    { id: '2', state: 'active' },
    { id: '3', state: 'active' },
  ]);
});
