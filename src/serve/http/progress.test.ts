import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProgressWatch } from './progress.ts';

const longestPauseMs = 300;
const body = Buffer.alloc(30_000_000);
const { watch } = createProgressWatch(longestPauseMs);
const server = createServer((_message, response) => {
  watch(response);
  response.setHeader('content-length', body.length);
  response.end(body);
});
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
test.after(() => server.close());

test('a caller who does not read is closed after the pause, not after twice as long', async () => {
  const socket = ask();
  socket.pause();
  const ms = await closedAfter();
  assert.ok(ms >= longestPauseMs && ms < longestPauseMs * 1.8, `closed after ${ms} ms`);
  socket.destroy();
});

test('a caller who reads slowly gets the whole answer', async () => {
  const socket = ask();
  let read = 0;
  const startedAt = performance.now();
  for await (const piece of socket) {
    read += (piece as Buffer).length;
    // 30 MB in pieces of 64 kB are about 460.
    await sleep(2);
    if (read >= body.length) break;
  }
  assert.ok(read >= body.length);
  assert.ok(performance.now() - startedAt > longestPauseMs, 'it was too quick to show anything');
});

function ask(): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
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
