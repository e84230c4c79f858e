import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { connectRedis } from './redis.ts';

test('a frozen Redis holds a request up for 50 ms', async (t) => {
  let isFrozen = false;
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      if (isFrozen) return;
      for (const _ of String(chunk).matchAll(/^\*\d/gm)) socket.write('$9\r\nloading:0\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redis = connectRedis(
    `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pino({ level: 'silent' }),
  );
  t.after(() => {
    redis.disconnect();
    server.close();
  });
  await once(redis, 'ready');
  assert.equal(await redis.get('count'), 'loading:0');

  isFrozen = true;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let answer = 'nothing yet';
  redis.get('count').catch((error: Error) => (answer = error.message));
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
    return answer;
  };
  assert.equal(await pass(49), 'nothing yet');
  assert.equal(await pass(1), 'Command timed out');
});
