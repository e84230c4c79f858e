import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines } from '../../harness/support/feed.ts';
import { feedSchema } from '../../src/record/feed/json-schema.ts';
import { setPublished } from '../../src/record/write/set-published.ts';

// A new tournament must say whether it is public; a record that changes a recorded one may leave it out. It
// must not matter how many records are in one batch, so each feed is sent as one batch, and then with a batch
// for each record.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
beforeEach(() => emptyFacts(client));

const wanted = 'true or false (a new tournament must say which: nothing becomes public by omission)';
const sentence = `published: expected ${wanted}, found nothing`;
const cup = { kind: 'tournament', slug: 'cup' };
const whole = { ...cup, name: 'Cup', status: 'planned', battleSize: 2000 };
const hidden = { ...whole, published: false };
const shown = { ...whole, published: true };
const begins = { ...cup, status: 'ongoing' };
const gone = { kind: 'remove', of: 'tournament', id: 'cup' };

/** Returns whether the cup is recorded as published, or undefined if it is not recorded. */
async function recorded(): Promise<boolean | undefined> {
  const { rows } = await client.query<{ published: boolean }>('select published from record.tournament');
  return rows[0]?.published;
}

const feeds: [string, object[], { refused: number[]; published: boolean | undefined }][] = [
  ['a new one that says nothing', [whole], { refused: [1], published: undefined }],
  ['a new one that says false', [hidden], { refused: [], published: false }],
  ['a new one that says true', [shown], { refused: [], published: true }],
  ['hidden, then changed', [hidden, begins, whole], { refused: [], published: false }],
  ['shown, then changed', [shown, begins, whole], { refused: [], published: true }],
  ['nothing said, then hidden, then changed', [whole, hidden, begins], { refused: [1], published: false }],
  ['nothing said twice', [whole, whole], { refused: [1, 2], published: undefined }],
  ['removed and told again', [shown, gone, whole], { refused: [3], published: undefined }],
  ['removed and told again, hidden', [shown, gone, hidden, whole], { refused: [], published: false }],
  ['removed before it was told', [gone, whole], { refused: [2], published: undefined }],
];
for (const [what, feed, { refused, published }] of feeds) {
  test(what, async () => {
    const refusals = refused.map((line) => `feed:${line}: ${sentence}`);
    const records = feed.map((record) => ({ ...record }));
    for (const options of [{}, { batchBytes: 1 }]) {
      await emptyFacts(client);
      assert.deepEqual((await importLines(client, records, { ...options, dryRun: true })).refusals, refusals);
      assert.deepEqual((await importLines(client, records, options)).refusals, refusals);
      assert.equal(await recorded(), published);
    }
  });
}

test('a tournament that an earlier import recorded keeps what is recorded, until it is removed', async () => {
  await importLines(client, [hidden]);
  assert.deepEqual((await importLines(client, [whole, begins])).refusals, []);
  assert.equal(await recorded(), false);
  assert.deepEqual((await importLines(client, [gone, whole])).refusals, [`feed:2: ${sentence}`]);
  assert.equal(await recorded(), undefined);
});

test('a tournament that the operator hid stays hidden when a record that does not say changes it', async () => {
  await importLines(client, [shown]);
  await setPublished(database.pool, 'cup', false);
  assert.deepEqual((await importLines(client, [begins])).refusals, []);
  assert.equal(await recorded(), false);
});

test('stop-on-error stops at a new tournament that does not say', async () => {
  const other = { ...shown, slug: 'other' };
  const { refusals, records } = await importLines(client, [other, whole, shown], { stopOnError: true });
  assert.deepEqual([refusals, records], [[`feed:2: ${sentence}`], 1]);
});

test('null is refused in the same words, and the JSON Schema of the feed has them', async () => {
  const { refusals } = await importLines(client, [{ ...whole, published: null }]);
  assert.deepEqual(refusals, [`feed:1: published: expected ${wanted}, found null`]);
  assert.ok(JSON.stringify(feedSchema()).includes(JSON.stringify(wanted)));
});
