import assert from 'node:assert/strict';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../harness/support/database.ts';
import {
  addHeavyTournament,
  addParticipant,
  addTournament,
  insertRows,
  listWithoutText,
  noRows,
  participant,
  tournament,
} from '../../harness/support/published-world.ts';
import { createTestKey, eventually, startTestServer, unreadBytesOf } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const rows = noRows();
addHeavyTournament(rows);
addTournament(rows, tournament({ slug: 'usual' }));
addTournament(rows, tournament({ slug: 'middle' }));
const longList = { ...listWithoutText, text: 'x'.repeat(100_000) };
addParticipant(rows, 'middle', 'm', participant({ player: 'Player', list: longList }));
await insertRows(database.pool, rows);
const [slow, quick] = [(await createTestKey(database)).key, (await createTestKey(database)).key];
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  longestPauseMs: 1_500,
  trustProxy: ['127.0.0.0/8'],
  maxConnections: 200,
});
const heavy = '/api/v1/tournaments/heavy/participants?limit=100';
const middle = '/api/v1/tournaments/middle/participants';

test('a large answer arrives whole, plain and compressed, for GET and HEAD', async () => {
  const plain = await answered(heavy, quick);
  assert.equal(plain.length, Number(plain.header('content-length')));
  assert.ok(plain.length > 12_000_000);
  const gzip = await answered(heavy, quick, { 'accept-encoding': 'gzip' });
  assert.equal(gzip.length, Number(gzip.header('content-length')));
  // On a busy machine compressing takes too long, and the answer is sent uncompressed.
  if (gzip.header('content-encoding') === 'gzip') assert.ok(gzip.length < plain.length / 10);
  else assert.equal(gzip.length, plain.length);
  const head = await answered(heavy, quick, {}, 'HEAD');
  assert.deepEqual([head.length, head.header('content-length')], [0, String(plain.length)]);
  assert.match(server.log(), /"path":"\/api\/v1\/tournaments\/heavy\/participants","status":200/);
});

test('who does not read uses up the room of their key only, and is closed', async () => {
  const others = [
    [heavy.replace('100', '99'), slow],
    ['/api/v1/tournaments/usual', quick],
    // From memory they still get what the kernel takes at once, but no more.
    [middle, quick],
    [middle, slow],
    ['/api/v1/tournaments/usual', slow],
  ] as const;
  let sockets: ReturnType<typeof neverRead>[] = [];
  let [answers, held]: [Awaited<ReturnType<typeof ask>>[], number] = [[], 0];
  // On a machine that stands still they are closed before the others have asked.
  while (held <= 24_000_000) {
    for (const { socket } of sockets) socket.destroy();
    await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
    sockets = Array.from({ length: 8 }, (_, i) => neverRead(heavy.replace('100', `${97 + (i % 2)}`), slow));
    await eventually(async () => assert.ok((await unreadBytesOf(server)) > 24_000_000));
    answers = [];
    for (const [target, caller] of others) answers.push(await ask(target, caller));
    held = await unreadBytesOf(server);
  }
  // All callers of one page share one buffer. A key may leave 16 MB unread, and begins no further read above
  // that.
  assert.ok(held < 30_000_000);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 200, 200, 503, 200],
  );
  assert.equal(answers[0]?.header('retry-after'), '1');
  // They notice nothing because they do not read. The server has closed them when it counts no bytes.
  await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
  for (const { socket } of sockets) socket.destroy();
  await answered(heavy, slow);
});

test('answers that wait behind an unread one of their connection count, and are bounded', async () => {
  let socket: Socket | undefined;
  // Retried because on a busy machine the server may close the connection before it has read everything.
  await eventually(async () => {
    socket?.destroy();
    await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
    ({ socket } = neverRead(heavy, slow));
    for (const limit of [90, 91, 92, 93, 94, 95])
      socket.write(requestFor(heavy.replace('100', String(limit)), slow));
    let unread = 0;
    for (let look = 0; look < 40 && unread <= 20_000_000; look += 1) {
      await sleep(25);
      unread = await unreadBytesOf(server);
    }
    assert.ok(unread > 20_000_000);
  });
  await sleep(500);
  assert.ok((await unreadBytesOf(server)) < 30_000_000);
  await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
  socket?.destroy();
});

test('answers that are ready before an earlier one of their connection count, too', async () => {
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table published.club in access exclusive mode');
  const { socket } = neverRead('/api/v1/clubs/locked', slow);
  try {
    socket.write(requestFor(heavy, slow));
    await eventually(async () => assert.ok((await unreadBytesOf(server)) > 10_000_000));
  } finally {
    await blocker.query('rollback');
    blocker.release();
    socket.destroy();
  }
  await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
});

test('who leaves before the answer is counted for nothing', async () => {
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table published.tournament in access exclusive mode');
  const { socket } = connectTo();
  socket.write(requestFor(`${middle}?limit=7`, slow).repeat(10));
  await sleep(300);
  socket.resetAndDestroy();
  await sleep(100);
  await blocker.query('rollback');
  blocker.release();
  await eventually(async () => assert.equal(await unreadBytesOf(server), 0));
});

test('one address has at most a twentieth of the connections in use, behind a proxy that we trust', async () => {
  const from = { 'x-forwarded-for': '10.0.0.1, 192.0.2.7, 127.0.0.9' };
  const sockets = Array.from({ length: 10 }, () => neverRead(heavy, slow, 'X-Forwarded-For: 192.0.2.7\r\n'));
  await eventually(async () =>
    assert.equal((await ask('/api/v1/tournaments/usual', quick, from)).status, 503),
  );
  const other = { 'x-forwarded-for': '192.0.2.7, 192.0.2.8' };
  assert.equal((await ask('/api/v1/tournaments/usual', quick, other)).status, 200);
  for (const { socket } of sockets) socket.destroy();
  await eventually(async () =>
    assert.equal((await ask('/api/v1/tournaments/usual', quick, from)).status, 200),
  );
});

test('a connection above the limit is closed at once', async () => {
  // Node removes its listeners from such a connection. It is counted only once all the same.
  for (let i = 0; i < 30; i += 1) {
    const { socket } = connectTo();
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => socket.resume().once('close', resolve));
  }
  const sockets = Array.from({ length: 220 }, () => connectTo());
  await eventually(() => assert.ok(sockets.filter(({ closed }) => closed).length >= 20));
  await sleep(50);
  assert.ok(sockets.filter(({ closed }) => closed).length < 40);
  for (const { socket } of sockets) socket.destroy();
});

interface Asked {
  status: number;
  header: (name: string) => string | undefined;
  length: number;
}

function ask(path: string, key: string, headers = {}, method = 'GET'): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const sent = { authorization: `Bearer ${key}`, ...headers };
    get(`${server.apiUrl}${path}`, { method, headers: sent, agent: false }, (answer) => {
      let length = 0;
      answer.on('data', (piece: Buffer) => (length += piece.length));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          header: (name) => answer.headers[name]?.toString(),
          length,
        }),
      );
    }).on('error', reject);
  });
}

/**
 * Asks until the answer is a 200, because on a busy machine the database may need longer for such a large
 * page than a request may take.
 */
async function answered(...request: Parameters<typeof ask>): Promise<Asked> {
  let answer: Asked | undefined;
  await eventually(async () => {
    answer = await ask(...request);
    assert.equal(answer.status, 200);
  });
  return answer ?? assert.fail();
}

interface Silent {
  socket: Socket;
  closed: boolean;
}

function neverRead(path: string, key: string, lines = ''): Silent {
  const silent = connectTo();
  silent.socket.pause();
  silent.socket.write(requestFor(path, key, lines));
  return silent;
}

function requestFor(path: string, key: string, lines = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${lines}\r\n`;
}

function connectTo(): Silent {
  const socket = connect(Number(new URL(server.apiUrl).port), '127.0.0.1');
  const silent = { socket, closed: false };
  socket.on('error', () => {});
  socket.on('close', () => (silent.closed = true));
  return silent;
}
