import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../harness/support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { lastBatch, noteBatch } from '../../src/record/write/committed-batch.ts';
import { atEnd } from '../../harness/support/at-end.ts';

// This test has its own PostgreSQL, because it has to crash.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
await migrate(postgres.url);
const setup = await connect();
// Only a commit may write the log, so that a crash forgets everything after the last one.
await setup.query(`alter system set wal_writer_delay = '10s'`);
await setup.query('select pg_reload_conf()');

test('the last batch is the last that was committed', async () => {
  const [writer, asker] = [await connect(), await connect()];
  const id = randomUUID();
  assert.equal(await lastBatch(asker, id), 0);
  for (const [batch, end, last] of [
    [1, 'rollback', 0],
    [2, 'commit', 2],
    [3, 'rollback', 2],
  ] as const) {
    await write(writer, id, batch);
    await writer.query(end);
    assert.equal(await lastBatch(asker, id), last);
  }
  assert.equal(await lastBatch(asker, randomUUID()), 0);
});

for (const [state, end, last] of [
  ['the first of its import', 'commit', 1],
  ['the first of its import', 'rollback', 0],
  ['a later one', 'commit', 2],
  ['a later one', 'rollback', 1],
] as const) {
  test(`a batch in progress is waited for: ${state}, ${end}`, async () => {
    const [writer, asker] = [await connect(), await connect()];
    const id = randomUUID();
    if (state === 'a later one') await noteBatch(writer, id, 1);
    await write(writer, id, state === 'a later one' ? 2 : 1);
    let found: number | undefined;
    const asking = lastBatch(asker, id).then((batch) => (found = batch));
    await sleep(250);
    assert.equal(found, undefined);
    await writer.query(end);
    assert.equal(await asking, last);
  });
}

test('after a crash a lost batch is not taken for a committed one, also when other transactions have its id', async () => {
  const [writer, before] = [await connect(), await connect()];
  const [kept, lost] = [randomUUID(), randomUUID()];
  await noteBatch(before, kept, 1);
  const xact = await write(writer, lost, 1);
  await postgres.stop('immediate');
  await postgres.start();
  const other = await connect();
  for (let taken = 0; taken < xact;) taken = await transactionOf(other);
  const { rows } = await other.query('select pg_xact_status($1::text::xid8) as status', [xact]);
  assert.deepEqual(rows, [{ status: 'committed' }], 'the id was not used again: the test shows nothing');
  // The second restart hides the fact that the server has recovered.
  await postgres.stop('fast');
  await postgres.start();
  const asker = await connect();
  assert.equal(await lastBatch(asker, lost), 0);
  assert.equal(await lastBatch(asker, kept), 1);
});

test('rows of imports that ended long ago go with the first batch of another', async () => {
  const [client, holder] = [await connect(), await connect()];
  const [ended, held, now] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [ended, held]) await noteBatch(client, id, 1);
  const old = `update record.import set at = now() - interval '31 days' where id = any($1::uuid[])`;
  await client.query(old, [[ended, held]]);
  // An import that was silent for a month writes again.
  await write(holder, held, 2);
  await noteBatch(client, now, 1);
  await holder.query('commit');
  const { rows } = await client.query('select id from record.import where id = any($1::uuid[])', [
    [ended, held, now],
  ]);
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set([held, now]));
});

/** Returns the id of the transaction, which stays open. */
async function write(client: pg.Client, id: string, batch: number): Promise<number> {
  await client.query('begin');
  await noteBatch(client, id, batch);
  return transactionOf(client);
}

async function transactionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ xact: string }>('select pg_current_xact_id()::text as xact');
  return Number(rows[0]?.xact);
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => {});
  await client.connect();
  atEnd(() => client.end());
  return client;
}
