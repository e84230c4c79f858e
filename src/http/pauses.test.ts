import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { stopClock } from '../../harness/support/clock.ts';
import { createPauseWatch, unsentBytes } from './pauses.ts';

const longestPauseMs = 1_000;
const body = Buffer.alloc(30_000_000);
const { watch } = createPauseWatch(longestPauseMs);
const server = createServer((message, response) => {
  watch(response, message.socket);
  response.setHeader('content-length', body.length);
  response.end(body);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
test.after(() => server.close());

test('a caller who does not read is closed after the pause, not after twice as long', async (t) => {
  const pass = stopClock(t);
  const socket = ask();
  socket.pause();
  const answering = await answered();
  const closed = new Promise((resolve) => answering.once('close', resolve));
  pass(longestPauseMs);
  assert.equal(answering.destroyed, false);
  pass(longestPauseMs / 5);
  assert.equal(answering.destroyed, true);
  await closed;
  socket.destroy();
});

test('a caller who reads slowly gets the whole answer', async (t) => {
  const pass = stopClock(t);
  const socket = ask();
  const answering = await answered();
  let [read, unsent, passedMs] = [0, unsentBytes(answering), 0];
  for await (const piece of socket) {
    read += (piece as Buffer).length;
    if (read >= body.length) break;
    if (unsentBytes(answering) === unsent) continue;
    unsent = unsentBytes(answering);
    pass(0.9 * longestPauseMs);
    passedMs += 0.9 * longestPauseMs;
  }
  assert.ok(read >= body.length);
  assert.ok(passedMs > 3 * longestPauseMs, 'it was too quick to show anything');
});

test('an answer whose caller left before it was ready is not watched', async () => {
  const left = Promise.withResolvers<number>();
  const late = createServer((message, response) => {
    response.once('close', () => {
      watch(response, message.socket);
      left.resolve(response.listenerCount('close'));
    });
    message.socket.destroy();
  });
  await new Promise<void>((listening) => late.listen(0, '127.0.0.1', listening));
  ask(late);
  assert.equal(await left.promise, 0);
  late.close();
});

function ask(of = server): Socket {
  const socket = connect((of.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return socket;
}

/** Returns the server's end of the next connection once its request has arrived. */
async function answered(): Promise<Socket> {
  const [{ socket }] = (await once(server, 'request')) as [IncomingMessage];
  return socket;
}
