import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../contract/errors.ts';
import { createEarlyRefusals } from './early-refusals.ts';
import { errorBody, errorHeaders } from './errors.ts';
import { createPipelines } from './pipelines.ts';

const caller = { keyId: '7', accountId: '8', accountLimit: undefined };

test('a known key above a full queue gets the 503 of the framework, after a while; others go to the framework', async () => {
  const logged: object[] = [];
  const counted: unknown[] = [];
  const refuse = createEarlyRefusals({
    verifier: { verified: (key: string) => (key === 'known' ? caller : undefined) },
    lastUse: { note: () => {} },
    metrics: {
      countWait: (_: number, end: string) => counted.push(end),
      countAnswer: (_: unknown, status: number) => counted.push(status),
    },
    log: (line: object) => logged.push(line),
    isDraining: () => false,
    isLastOf: () => false,
    waitingReads: () => 1,
    isFullFor: (keyId: string) => keyId === '7',
  } as unknown as Parameters<typeof createEarlyRefusals>[0]);
  const pipelines = createPipelines();
  const server = createServer((message, response) => {
    pipelines.take(message, response, () => {
      if (!refuse(message, response)) response.writeHead(299).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async (key: string, method = 'GET', signal = AbortSignal.timeout(10_000)) => {
    const since = performance.now();
    const sent = request({
      port,
      method,
      path: '/api/v1/clubs?key=x',
      headers: headersOf(key),
      signal,
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await answer.toArray()).join('');
    return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - since };
  };
  try {
    const [got, head, unknown] = await Promise.all([ask('known'), ask('known', 'HEAD'), ask('other')]);
    assert.equal(unknown.status, 299);
    assert.deepEqual([got.status, head.status], [503, 503]);
    assert.deepEqual([got.text, head.text], [errorBody(errors.unavailable), '']);
    for (const [name, value] of Object.entries(errorHeaders(errors.unavailable)))
      assert.equal(got.headers[name], value, name);
    assert.match(String(got.headers['x-request-id']), /^[\da-f-]{36}$/);
    assert.ok(got.ms >= 490 && got.ms < 5_000, `${got.ms} ms`);
    const { path, status, traceparent } = logged[0] as Record<string, unknown>;
    assert.deepEqual(
      { path, status, traceparent },
      { path: '/api/v1/clubs', status: 503, traceparent: trace },
    );
    assert.deepEqual(counted, ['full', 'full', 503, 503]);
    // Requests that come together wait together.
    const socket = connect(port, '127.0.0.1');
    const line = 'GET /api/v1/clubs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer known\r\n';
    const since = performance.now();
    socket.write(`${line}\r\n`.repeat(19) + `${line}Connection: close\r\n\r\n`);
    const refusals = (await socket.toArray()).join('').match(/HTTP\/1\.1 503/g);
    assert.equal(refusals?.length, 20);
    assert.ok(performance.now() - since < 5_000);

    counted.length = 0;
    const gone = new AbortController();
    const left = ask('known', 'GET', gone.signal);
    while (counted.length === 0) await sleep(1);
    gone.abort();
    await assert.rejects(left);
    await sleep(1_600);
    assert.deepEqual(counted, ['full'], 'a caller who left');
  } finally {
    server.close();
  }
});

const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, traceparent: trace });
