import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../harness/support/database.ts';

// Tests what we use of Node and of the driver although they don't promise it. If an update removes one of
// these, a test fails here before a server does.

const database = await createTestDatabase();

test('the driver has the messages of the extended protocol, and a stream that can be corked', async () => {
  const client = new pg.Client(database.url);
  await client.connect();
  const connection = (client as unknown as { connection: Record<string, unknown> }).connection;
  for (const name of ['parse', 'bind', 'describe', 'execute', 'sync'])
    assert.equal(typeof connection[name], 'function', name);
  assert.equal(typeof connection['parsedStatements'], 'object');
  const stream = connection['stream'] as Record<string, unknown>;
  for (const name of ['cork', 'uncork', 'destroy']) assert.equal(typeof stream[name], 'function', name);
  await client.end();
});

test('the driver writes values as its own queries do', () => {
  const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
  assert.deepEqual(
    [prepareValue(['a', null]), prepareValue(1n), prepareValue(null)],
    ['{"a",NULL}', '1', null],
  );
});

test('a pool follows its bound while it runs', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  // Its connections may still be closing when the database is dropped.
  pool.on('error', () => undefined);
  const first = await pool.connect();
  const second = pool.connect();
  assert.equal(pool.waitingCount, 1);
  pool.options.max = 2;
  const third = await pool.connect();
  assert.equal(pool.totalCount, 2);
  for (const client of [first, third]) client.release();
  (await second).release();
  await pool.end();
});

test('Node counts what the kernel did not take of a socket', async () => {
  const server = createServer((socket) => socket.pause()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(Buffer.alloc(30_000_000));
  const { _handle: handle } = socket as unknown as { _handle: { writeQueueSize: number } };
  assert.ok(handle.writeQueueSize > 0 && handle.writeQueueSize <= 30_000_000);
  socket.destroy();
  server.close();
});
