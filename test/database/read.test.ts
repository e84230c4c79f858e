import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabases } from '../../src/database/databases.ts';
import { Read } from '../../src/database/read.ts';
import { TimeLimit } from '../../src/availability/time-limit.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';

const { url, pool } = await createTestDatabase();
const databases = createDatabases({
  primaryUrl: url,
  replicaUrls: [],
  // Long enough for a new connection on a busy machine.
  kinds: { documents: { applicationName: 'reads', size: 1, queryTimeoutMs: 3_000 } },
  onChange: () => {},
});
atEnd(() => databases.close());
const [primary] = databases.of.documents;

const backend = { name: 'backend', text: 'select pg_backend_pid() as pid' };
const echo = { name: 'echo', text: 'select $1::int as number, $2::text[] as texts, $3::text as nothing' };

test('a statement is prepared once for each connection, and its values keep their types', async () => {
  for (let i = 0; i < 3; i += 1) {
    assert.deepEqual(await primary.query(echo, [i, ['a"', 'b,'], null]), [
      { number: i, texts: ['a"', 'b,'], nothing: null },
    ]);
  }
  const prepared = { name: 'prepared', text: 'select count(*)::int as count from pg_prepared_statements' };
  // The two statements are this one and echo.
  assert.deepEqual(await primary.query(prepared), [{ count: 2 }]);
});

test('PostgreSQL compiles no statement of ours', async () => {
  const jit = { name: 'jit', text: `select current_setting('jit') as jit` };
  assert.deepEqual(await primary.query(jit), [{ jit: 'off' }]);
  assert.deepEqual((await pool.query(jit.text)).rows, [{ jit: 'off' }]);
});

test('a refused statement rejects with its code, and the connection stays', async () => {
  const [before] = await primary.query(backend);
  const wrong = { name: 'wrong', text: 'select 1 / $1::int as result' };
  await assert.rejects(primary.query(wrong, [0]), { code: '22012' });
  await assert.rejects(primary.query({ name: 'unknown', text: 'select nothing' }), { code: '42703' });
  assert.deepEqual(await primary.query(wrong, [1]), [{ result: 1 }]);
  assert.deepEqual(await primary.query(backend), [before]);
});

test('a value that the driver cannot write rejects, and the connection stays', async () => {
  const unwritable = {
    toPostgres: () => {
      throw new Error('unwritable');
    },
  };
  await assert.rejects(primary.query(echo, [1, unwritable, null]), /unwritable/);
  assert.deepEqual(await primary.query(echo, [1, [], null]), [{ number: 1, texts: [], nothing: null }]);
});

test('a read gets through though four connections break, one after the other', async () => {
  await pool.query('create sequence breaks');
  const breaking = {
    name: 'breaking',
    text: `select case when nextval('breaks') <= 4 then pg_terminate_backend(pg_backend_pid()) else false end as broke`,
  };
  assert.deepEqual(await primary.query(breaking), [{ broke: false }]);
});

test('a read that takes too long rejects, and its connection is closed: the next read has another one', async () => {
  const [before] = await primary.query(backend);
  // If it waited for the database, the test would exceed its time limit.
  await assert.rejects(primary.query({ name: 'slow', text: 'select pg_sleep(600)' }), /Query read timeout/);
  const [after] = await primary.query(backend);
  assert.notDeepEqual(after, before);
});

test('a read that is given up while it waits for a connection gives it back', async () => {
  const limit = new TimeLimit<Read>(3_000, (read) => read.endLate());
  await new Promise<void>((resolve) => {
    const read = new Read({ statement: backend, values: [], limit }, () => resolve());
    read.start(primary.pool);
    read.giveUp(new Error('given up'));
  });
  assert.equal((await primary.query(backend)).length, 1);
});

test('a read whose connection ends is sent again on another one', async () => {
  const [before] = await primary.query<{ pid: number }>(backend);
  const reading = primary.query({ name: 'nap', text: "select 'done' as nap from pg_sleep(0.1)" });
  await pool.query('select pg_terminate_backend($1)', [before?.pid]);
  assert.deepEqual(await reading, [{ nap: 'done' }]);
});
