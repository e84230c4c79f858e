import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startCaller } from '../../harness/measure/load.ts';

const requests = [{ path: '/a', headers: { 'x-sent': '1' } }];

test('the generator counts whole answers, over connections that the server ends, and errors when it is gone', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    assert.equal(request.headers['x-sent'], '1');
    if (asked % 50 === 0) response.setHeader('connection', 'close');
    if (asked % 5 === 0) response.writeHead(304).end();
    else response.end('x'.repeat((asked % 3) * 50_000));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const caller = startCaller();
  try {
    const { answers, statuses } = await caller.call(origin, requests, { most: 2_000 });
    assert.deepEqual([answers, asked, statuses], [2_000, 2_000, { 200: 1_600, 304: 400 }]);
    server.close();
    server.closeAllConnections();
    const gone = await caller.call(origin, requests, { seconds: 0.2 });
    assert.deepEqual(Object.keys(gone.statuses), ['error']);
  } finally {
    await caller.close();
    server.close();
  }
});
