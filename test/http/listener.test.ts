import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxAhead } from '../../src/http/pipelines.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import {
  addClub,
  addHeavyTournament,
  club as clubOf,
  insertRows,
  noRows,
} from '../../harness/support/published-world.ts';
import { createTestKey, eventually, startTestServer, unreadBytesOf } from '../../harness/support/server.ts';

// Tests what no HTTP client would send, and what a slow or rude one does, on the API, the site and the
// private listener alike. This server looks for slow headers as often as Node does by default: every 30 s.
const byNode = createServer({ headersTimeout: 5_000 }).listen(0, '127.0.0.1');
await once(byNode, 'listening');
atEnd(async () => void byNode.close());
const database = await createTestDatabase();
const rows = noRows();
addClub(rows, clubOf({ slug: 'club-0' }));
addHeavyTournament(rows);
await insertRows(database.pool, rows);
const server = await startTestServer(await database.loginAs('wartable_serve'), { longestPauseMs: 1_500 });
const { key } = await createTestKey(database);
const [api, site, ops] = [server.apiUrl, server.siteUrl, server.opsUrl].map((url) =>
  Number(new URL(url).port),
) as [number, number, number];

/** The number of requests that Node handed over, by the port at the connection's other end. */
const handedOver = new Map<number, number>();
const known = new WeakSet<Socket>();
subscribe('http.server.request.start', (start) => {
  const { socket } = start as { socket: Socket };
  const { remotePort = 0 } = socket;
  // The port of an earlier connection may be used again.
  if (!known.has(socket)) handedOver.delete(remotePort);
  known.add(socket);
  handedOver.set(remotePort, (handedOver.get(remotePort) ?? 0) + 1);
});

const withKey = `Authorization: Bearer ${key}`;
const club = '/api/v1/clubs/club-0';
const kinds: [what: string, port: number, request: () => Promise<string>, status: number][] = [
  ['refusals', api, async () => get(club), 401],
  ['errors', api, async () => get('/none', withKey), 404],
  ['304s', api, async () => get(club, withKey, `If-None-Match: ${await tagOf(api, club, withKey)}`), 304],
  ['answers from memory', api, async () => get(club, withKey), 200],
  ['errors', site, async () => get('/none'), 404],
  ['304s', site, async () => get('/clubs', `If-None-Match: ${await tagOf(site, '/clubs')}`), 304],
  ['answers from memory', site, async () => get('/clubs'), 200],
  ['errors', ops, async () => get('/none'), 404],
  ['answers', ops, async () => get('/live'), 200],
];

/** The listeners, each with an answer and a 404, its largest answer, and the form of its errors. */
const listeners = [
  {
    port: api,
    good: get(club, withKey),
    unknown: get('/none', withKey),
    large: get('/api/v1/tournaments/heavy/participants?limit=100', withKey),
    error: /^content-type: application\/json; charset=utf-8\r$[^]*\r\n\r\n\{"error":\{/im,
  },
  {
    port: site,
    good: get('/clubs'),
    unknown: get('/none'),
    large: get('/tournaments/heavy/participants.csv'),
    error: /^content-type: text\/html; charset=utf-8\r$[^]*\r\n\r\n<!doctype html>/im,
  },
  {
    port: ops,
    good: get('/live'),
    unknown: get('/none'),
    large: get('/metrics'),
    error: /^content-type: text\/plain; charset=utf-8\r$[^]*\r\n\r\n[A-Z][^<{]+\n/im,
  },
];

/** What is sent, the status of its answer, and whether the connection stays open afterwards. */
const broken: [what: string, of: (good: string) => string, status: number, goesOn?: boolean][] = [
  ['garbage', () => 'garbage\r\n\r\n', 400],
  ['a TLS hello', () => '\x16\x03\x01\x02\x00', 400],
  ['HTTP/0.9', () => 'GET /\r\n\r\n', 400],
  ['HTTP/2.0', (good) => good.replace('HTTP/1.1', 'HTTP/2.0'), 400],
  ['no Host', (good) => good.replace('Host: test\r\n', ''), 400, true],
  ['two Hosts', (good) => good.replace('Host: test', 'Host: test\r\nHost: other'), 400, true],
  ['a CONNECT', () => 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n', 400],
  ['9 KB of headers', (good) => withHeader(good, `X-A: ${'a'.repeat(9_000)}`), 431],
  ['an expectation nobody can meet', (good) => withHeader(good, 'Expect: foo'), 417],
  ['a GET with a body', (good) => `${withHeader(good, 'Content-Length: 1')}x`, 400],
  ['a chunked body that breaks', (good) => `${withHeader(good, 'Transfer-Encoding: chunked')}zz\r\n`, 400],
  ['a body that never comes whole', (good) => `${withHeader(good, 'Content-Length: 5000')}abc`, 400],
  ['a POST', (good) => good.replace('GET', 'POST'), 405, true],
  ['a POST with a body', (good) => `${withHeader(good.replace('GET', 'POST'), 'Content-Length: 1')}x`, 405],
];

for (const { port, good, unknown, large, error } of listeners) {
  for (const [what, of, status, goesOn = false] of broken) {
    test(`requests before ${what} are answered, and then the error (${nameOf(port)})`, async () => {
      for (const [before, expected] of [
        ['', []],
        [good + unknown + good, [200, 404, 200]],
        // These come from memory if the listener has one.
        [good.repeat(14), Array.from({ length: 14 }, () => 200)],
      ] as const) {
        const answers = await ask(port, before + of(good) + withHeader(good, 'Connection: close')).closed;
        assert.deepEqual(statusesOf(answers), [...expected, status, ...(goesOn ? [200] : [])]);
        const refusal = answers.split('HTTP/1.1 ')[expected.length + 1] ?? '';
        assert.match(refusal, error);
        assert.equal(/^connection: close\r$/im.test(refusal), !goesOn);
      }
    });
  }

  test(`a CONNECT behind answers ends nothing but its connection (${nameOf(port)})`, async () => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let i = 0; i < 5; i += 1) {
      for (const before of ['', large + good.repeat(3)]) {
        const socket = connect(port, '127.0.0.1').pause();
        socket.on('error', () => {});
        socket.write(before + tunnel);
        await sleep(before === '' ? 20 : 200);
        socket.resetAndDestroy();
      }
    }
    await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
    assert.deepEqual(statusesOf(await ask(port, withHeader(good, 'Connection: close')).closed), [200]);
  });

  test(`a request that stops in the middle of its body is answered at once (${nameOf(port)})`, async () => {
    const post = withHeader(good.replace('GET', 'POST'), 'Content-Length: 50');
    const socket = ask(port, post);
    const trickle = setInterval(() => socket.write('x'), 100);
    const answers = await socket.closed;
    clearInterval(trickle);
    assert.deepEqual(statusesOf(answers), [405]);
  });

  test(`a request whose headers never end is answered with 408, and others before it (${nameOf(port)})`, async () => {
    for (const before of ['', unknown]) {
      const socket = ask(port, `${before}GET / HTTP/1.1\r\n`);
      const trickle = setInterval(() => socket.write('X'), 500);
      const answers = await socket.closed;
      clearInterval(trickle);
      assert.deepEqual(statusesOf(answers), before === '' ? [408] : [404, 408]);
      assert.match(lastOf(answers), error);
    }
  });

  // The kernel takes everything that the private listener sends.
  if (port === ops) continue;
  test(`who never reads is let go before slow headers are cut, and holds nothing (${nameOf(port)})`, async () => {
    let isBefore = false;
    // On a machine that stands still, both may be late.
    for (let tries = 0; tries < 3 && !isBefore; tries += 1) {
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(large.repeat(100));
      await eventually(async () => assert.ok((await unreadBytesOf(server)) > 0));
      let isCut = false;
      const slow = ask(port, 'GET / HTTP/1.1\r\n').closed.then(() => (isCut = true));
      await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
      isBefore = !isCut;
      // They notice it only when they finally read.
      socket.resume();
      await Promise.all([closed, slow]);
      assert.ok((handedOver.get(socket.localPort ?? 0) ?? 0) <= maxAhead);
    }
    assert.ok(isBefore);
  });
}

for (const [what, port, request, status] of kinds) {
  test(`of 1,000 requests in one write, a connection gets ${maxAhead} ${what} (${nameOf(port)})`, async () => {
    await eventually(() => assert.match(server.log(), /listening for notices/));
    const flood = (await request()).repeat(1_000);
    const socket = ask(port, flood);
    const answers = await socket.closed;
    assert.deepEqual(
      statusesOf(answers),
      Array.from({ length: maxAhead }, () => status),
    );
    assert.match(lastOf(answers), /^connection: close\r$/im);
    assert.equal(answers.match(/^connection: close\r$/gim)?.length, 1);
    assert.equal(handedOver.get(socket.port()), maxAhead);
  });

  test(`a connection that sends 1,000 requests for ${what} and is gone costs no more (${nameOf(port)})`, async () => {
    const flood = (await request()).repeat(1_000);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const { localPort = 0 } = socket;
    socket.end(flood);
    // A reset also counts as an end.
    socket.on('error', () => {});
    await new Promise((resolve) => socket.resume().once('close', resolve));
    assert.ok((handedOver.get(localPort) ?? 0) <= maxAhead);
  });
}

for (const [what, port, request] of [kinds[3], kinds[6]] as typeof kinds) {
  test(`a connection that waits for its ${what} gets 1,000 (${nameOf(port)})`, async () => {
    const some = (await request()).repeat(10);
    const socket = ask(port, some);
    let groups = 1;
    let seen = 0;
    socket.onAnswers((count) => {
      if (count < groups * 10 || seen === count) return;
      seen = count;
      groups += 1;
      socket.write(some);
    });
    const answers = await socket.closed;
    assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 1_000);
    assert.match(lastOf(answers), /^connection: close\r$/im);
  });

  test(`a request with Upgrade is the last of its connection (${nameOf(port)})`, async () => {
    const plain = await request();
    const upgrade = plain.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    const answers = await ask(port, upgrade + plain).closed;
    assert.equal(answers.match(/HTTP\/1\.1 /g)?.length, 1);
    assert.match(answers, /^HTTP\/1\.1 200 [^]*^connection: close\r$/im);
  });
}

test('slow headers are cut after 5 s on every listener, and before Node would look for them', async () => {
  const slow = (port: number) => {
    const startedAt = performance.now();
    const socket = ask(port, 'GET / HTTP/1.1\r\n');
    const trickle = setInterval(() => socket.write('X'), 250);
    return socket.closed.then((answers) => {
      clearInterval(trickle);
      return { statuses: statusesOf(answers), afterMs: performance.now() - startedAt };
    });
  };
  let isBefore = false;
  // Node may happen to look right now, in which case the next time is 30 s away.
  for (let tries = 0; tries < 3 && !isBefore; tries += 1) {
    let isCutByNode = false;
    const cutByNode = slow((byNode.address() as AddressInfo).port).then(() => (isCutByNode = true));
    for (const { statuses, afterMs } of await Promise.all([api, site, ops].map(slow))) {
      assert.deepEqual(statuses, [408]);
      assert.ok(afterMs >= 4_900, `cut after ${afterMs} ms`);
    }
    isBefore = !isCutByNode;
    byNode.closeAllConnections();
    await cutByNode;
  }
  assert.ok(isBefore);
});

function nameOf(port: number): string {
  return port === api ? 'API' : port === site ? 'site' : 'private listener';
}

function withHeader(request: string, header: string): string {
  return request.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`);
}

function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map((found) => Number(found[1]));
}

function get(target: string, ...headers: string[]): string {
  return [`GET ${target} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');
}

async function tagOf(port: number, target: string, ...headers: string[]): Promise<string> {
  const answer = await ask(port, get(target, ...headers, 'Connection: close')).closed;
  return /^etag: (.*)\r$/im.exec(answer)?.[1] ?? '';
}

interface Asking {
  write: (request: string) => void;
  port: () => number;
  /** Calls back with the number of answers so far. */
  onAnswers: (listen: (count: number) => void) => void;
  /** Everything that arrives until the server closes the connection. */
  closed: Promise<string>;
}

function ask(port: number, request: string): Asking {
  const socket = connect(port, '127.0.0.1');
  let answers = '';
  let localPort = 0;
  socket.setEncoding('latin1');
  socket.on('connect', () => (localPort = socket.localPort ?? 0));
  socket.on('data', (chunk: string) => (answers += chunk));
  const closed = new Promise<string>((resolve, reject) => {
    socket.setTimeout(120_000, () => {
      reject(new Error('the connection stays open'));
      socket.destroy();
    });
    // A reset also counts as an end, because we may have written what the server no longer reads.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answers));
  });
  socket.write(request);
  return {
    write: (more) => void socket.write(more),
    port: () => localPort,
    onAnswers: (listen) => void socket.on('data', () => listen(answers.split('HTTP/1.1 ').length - 1)),
    closed,
  };
}

function lastOf(answers: string): string {
  return answers.slice(answers.lastIndexOf('HTTP/1.1'));
}
