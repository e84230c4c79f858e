import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../harness/support/database.ts';
import { addClub, club, insertRows, noRows } from '../../harness/support/published-world.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Many callers at once wait for their turn, and are refused only if that would take too long.

const database = await createTestDatabase();
const rows = noRows();
// There is a club for each caller, because callers who ask for the same thing share one read.
for (let i = 0; i < 400; i += 1) addClub(rows, club({ slug: `club-${i}` }));
await insertRows(database.pool, rows);
const { key } = await createTestKey(database);
const login = await database.loginAs('wartable_serve');
const server = await startTestServer(login, { cacheMegabytes: 0 });
const target = (caller: number) => `/api/v1/clubs/club-${caller}`;

test('a burst of 400 callers is answered, every one', async () => {
  // At the end of a round callers ask for the same few answers.
  const answers = await burst(400, 8);
  assert.deepEqual(statusesOf(answers), Array(400).fill(200));
});

test('100 callers wait for a table that is locked for 300 ms, and are answered, every one', async () => {
  // Retried because the machine may be busy with other work.
  await eventually(async () => {
    const { answers } = await whileLocked(async () => {
      const asked = burst(100);
      await sleep(300);
      return { answers: asked };
    });
    assert.deepEqual(statusesOf(await answers), Array(100).fill(200));
  });
});

test('no caller waits until the table is free: 503 with Retry-After, and never before 500 ms', async () => {
  for (const { status, ms, retryAfter } of await whileLocked(() => burst(100))) {
    assert.deepEqual([status, retryAfter], [503, '1']);
    assert.ok(ms >= 490, `one was refused after ${ms} ms`);
  }
});

test('callers who go away while they wait leave the queue at once', async () => {
  // Retried because on a very busy machine all of them may be refused before they can leave.
  await eventually(async () => {
    await whileLocked(goWhileWaiting);
    await eventually(async () => assert.match(await metricsOf(server), /^wartable_waiting_reads 0$/m));
    assert.match(await metricsOf(server), /^wartable_read_wait_seconds_count\{end="gone"\} [1-9]/m);
  });
  assert.doesNotMatch(server.log(), /"level":"error"/);
});

async function goWhileWaiting(): Promise<void> {
  const sockets = Array.from({ length: 200 }, (_, caller) => {
    const socket = connect(Number(new URL(server.apiUrl).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${target(caller)} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return socket;
  });
  for (let looks = 0; looks < 20; looks += 1) {
    if (/^wartable_waiting_reads [1-9]/m.test(await metricsOf(server))) break;
    await sleep(25);
  }
  for (const socket of sockets) socket.resetAndDestroy();
}

test('pages wait for places of their own, and those that are refused count, too', async () => {
  // A new server has not refused any yet. 16 pages are read, and 100 wait.
  const fresh = await startTestServer(login, { cacheMegabytes: 0 });
  const asked = await whileLocked(() =>
    Promise.all(
      Array.from({ length: 150 }, async (_, i) => (await fetch(`${fresh.siteUrl}/clubs/club-${i}`)).status),
    ),
  );
  assert.ok(asked.includes(503));
  assert.match(await metricsOf(fresh), /^wartable_read_wait_seconds_count\{end="(full|late)"\} [1-9]/m);
});

const kernelLimit = '/proc/sys/net/core/somaxconn';
const maxHeld = existsSync(kernelLimit) ? Number(readFileSync(kernelLimit, 'utf8')) : 0;

test(
  'no connection of a burst of 1,500 is dropped',
  { skip: maxHeld < 1_500 && `net.core.somaxconn is ${maxHeld}` },
  async () => {
    const dropped: number[] = [];
    // The kernel counts for the whole machine, so another program may have lost some.
    while (dropped.length < 5 && !dropped.includes(0)) {
      const before = droppedByTheKernel();
      const sockets = Array.from({ length: 1_500 }, () =>
        connect(Number(new URL(server.apiUrl).port), '127.0.0.1'),
      );
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      dropped.push(droppedByTheKernel() - before);
      for (const socket of sockets) socket.destroy();
      await sleep(200);
    }
    assert.ok(dropped.includes(0), `dropped: ${dropped.join(', ')}`);
  },
);

/** Returns the number of connections that found the queue of their listener full. */
function droppedByTheKernel(): number {
  const [names = [], counts = []] = [
    ...readFileSync('/proc/net/netstat', 'utf8').matchAll(/^TcpExt: (.*)$/gm),
  ].map(([, line = '']) => line.split(' '));
  return Number(counts[names.indexOf('ListenOverflows')]);
}

interface Answered {
  status: number;
  retryAfter: string | undefined;
  ms: number;
}

/** Sends requests from that many callers at the same moment, each on its own connection. */
async function burst(callers: number, clubs = callers): Promise<Answered[]> {
  const agent = new Agent({ maxSockets: callers });
  try {
    return await Promise.all(Array.from({ length: callers }, (_, caller) => ask(agent, caller % clubs)));
  } finally {
    agent.destroy();
  }
}

function ask(agent: Agent, caller: number): Promise<Answered> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    httpGet(`${server.apiUrl}${target(caller)}`, { agent, headers: bearer(key) }, (response) => {
      response.resume();
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({
          status: statusCode,
          retryAfter: headers['retry-after'],
          ms: performance.now() - startedAt,
        });
      });
    }).on('error', reject);
  });
}

function statusesOf(answers: Answered[]): number[] {
  return answers.map(({ status }) => status);
}

/** Does the work while the clubs cannot be read. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const blocker = await database.pool.connect();
  try {
    await blocker.query('begin; lock table published.club in access exclusive mode');
    return await work();
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
}

async function metricsOf({ opsUrl }: { opsUrl: string }): Promise<string> {
  return (await fetch(`${opsUrl}/metrics`)).text();
}
