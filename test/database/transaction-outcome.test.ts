import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import {
  noteTransaction,
  type NotedTransaction,
  wasCommitted,
} from '../../src/database/transaction-outcome.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { atEnd } from '../support/at-end.ts';

// A database of its own, because it has to crash.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
const setup = await connect();
await setup.query('create table public.thing (n int)');
// Nothing but a commit may write the log: then a crash forgets everything after the last one.
await setup.query(`alter system set wal_writer_delay = '10s'`);
await setup.query('select pg_reload_conf()');

test('a transaction is committed, aborted, in progress or from the future', async () => {
  const [writer, asker] = [await connect(), await connect()];
  const committed = await write(writer);
  await writer.query('commit');
  assert.equal(await wasCommitted(asker, committed), true);
  const aborted = await write(writer);
  await writer.query('rollback');
  assert.equal(await wasCommitted(asker, aborted), false);
  const running = await write(writer);
  const asking = wasCommitted(asker, running);
  await new Promise((resolve) => setTimeout(resolve, 250));
  await writer.query('commit');
  assert.equal(await asking, true);
  const future = { ...running, xact: String(Number(running.xact) + 1_000_000) };
  assert.equal(await wasCommitted(asker, future), false);
});

test('after a crash, another transaction with the same id is not taken for ours', async () => {
  const [writer, before] = [await connect(), await connect()];
  const committed = await write(before);
  await before.query('commit');
  const lost = await write(writer);
  await postgres.stop('immediate');
  await postgres.start();
  const asker = await connect();
  for (let taken = ''; Number(taken) < Number(lost.xact);) {
    const { rows } = await asker.query<{ xact: string }>('select pg_current_xact_id()::text as xact');
    taken = rows[0]?.xact ?? '';
  }
  const { rows } = await asker.query('select pg_xact_status($1::xid8) as status', [lost.xact]);
  assert.deepEqual(rows, [{ status: 'committed' }], 'the id was not used again: the test shows nothing');
  assert.equal(await wasCommitted(asker, lost), false);
  assert.equal(await wasCommitted(asker, committed), true);
});

async function write(client: pg.Client): Promise<NotedTransaction> {
  await client.query('begin');
  await client.query('insert into public.thing values (1)');
  const { rows } = await client.query<NotedTransaction>(`select ${noteTransaction}`);
  return rows[0] as NotedTransaction;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => {});
  await client.connect();
  atEnd(() => client.end());
  return client;
}
