import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPauseWatch } from './pauses.ts';

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

test('a caller who does not read is closed after the pause, not after twice as long', async () => {
  // Again on a machine that is busy with other work.
  for (let attempt = 1; ; attempt += 1) {
    const socket = ask();
    socket.pause();
    const ms = await closedAfter();
    socket.destroy();
    assert.ok(ms >= longestPauseMs, `closed after ${ms} ms`);
    if (ms < longestPauseMs * 1.8) return;
    assert.ok(attempt < 5, `closed after ${ms} ms`);
  }
});

test('a caller who reads slowly gets the whole answer', async () => {
  const socket = ask();
  let read = 0;
  const startedAt = performance.now();
  for await (const piece of socket) {
    read += (piece as Buffer).length;
    // 30 MB in pieces of 64 kB are about 460.
    await sleep(3);
    if (read >= body.length) break;
  }
  assert.ok(read >= body.length);
  assert.ok(performance.now() - startedAt > longestPauseMs, 'it was too quick to show anything');
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

/** Milliseconds until the server closes the next connection. */
async function closedAfter(): Promise<number> {
  const startedAt = performance.now();
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
  return performance.now() - startedAt;
}
