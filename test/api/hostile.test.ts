import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKey } from '../../src/keys/key.ts';
import { createKeyForAccount, revokeKey, setAccountActive } from '../../src/keys/store.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { assertFitsTheContract } from '../../harness/support/fits-the-contract.ts';
import type { Hostile } from './hostile/case.ts';
import { corpus } from './hostile/corpus.ts';
import { startPostgres } from '../../harness/support/postgres.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { exchange } from '../../harness/support/raw-socket.ts';
import { bearer, eventually, startTestServer } from '../../harness/support/server.ts';

// Sends the whole corpus over raw sockets: first normally, then with the database stopped. A request that is
// refused before any document is asked for must then get the same bytes.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
await migrate(postgres.url);
const keys = await prepare();
const server = await startTestServer(postgres.url, { apiUrl: 'https://api.wartable.example' });
// A server without a cache, because one with a cache answers from memory for 5 s without a database.
const forgetful = await startTestServer(postgres.url, { cacheMegabytes: 0 });
const first = await server.get('/api/v1/clubs/club-0/battles', bearer(keys.good));
const cursor = /cursor=([\w-]+)/.exec(first.text)?.[1] ?? '';
const cases = corpus(keys, cursor);
const usual = new Map<Hostile, string>();

for (const section of ['key', 'protocol', 'path', 'query', 'cursor', 'extra']) {
  const ofSection = cases.filter(({ what }) => what.startsWith(`${section}:`));
  test(`${section}: each of ${ofSection.length} hostile requests gets its stated answer`, async () => {
    assert.ok(ofSection.length > 10);
    for (const each of ofSection) {
      const answer = await exchange(server.apiUrl, each.request);
      usual.set(each, answer.comparable);
      assert.equal(answer.status, each.status, `${each.what}: ${answer.text}`);
      const target = /^GET (?:http:\/\/[^/]+)?(\S+) /.exec(each.request)?.[1] ?? '/';
      assertFitsTheContract(target, 'GET', answer);
      const { error } = JSON.parse(answer.text) as { error?: { message: string } };
      if (each.message !== undefined) assert.equal(error?.message, each.message, each.what);
      if (each.header !== undefined) assert.equal(answer.header(each.header[0]), each.header[1], each.what);
    }
  });
}

test('unknown, revoked and inactive keys are refused in the same bytes', () => {
  const refusals = cases
    .filter(({ what }) => /^key: (unknown|revoked|of an inactive)/.test(what))
    .map((each) => usual.get(each));
  assert.equal(refusals.length, 4);
  assert.equal(new Set(refusals).size, 1);
});

test('next keeps the configured address, whatever host the caller names', async () => {
  const target = 'http://other.example/api/v1/tournaments';
  const headers = `Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nAuthorization: Bearer ${keys.good}`;
  const answer = await exchange(server.apiUrl, `GET ${target}?limit=1 HTTP/1.1\r\n${headers}\r\n\r\n`);
  assert.match(
    answer.text,
    /"next":"https:\/\/api\.wartable\.example\/api\/v1\/tournaments\?limit=1&cursor=/,
  );
});

test('nothing above failed inside: no error of ours, and nothing that PostgreSQL could not read', () => {
  const failed = server
    .log()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"|the request failed/.test(line));
  assert.deepEqual(failed, []);
});

test('the second time, with answers in memory, each gets the same bytes', async () => {
  for (const [each, answer] of usual) {
    assert.equal((await exchange(server.apiUrl, each.request)).comparable, answer, each.what);
  }
});

test('with the database stopped, what is refused early is refused in the same bytes', async () => {
  await exchange(server.apiUrl, request('/api/v1/nowhere'));
  await postgres.stop('immediate');
  const early = cases.filter((each) => each.early);
  assert.ok(early.length > 600);
  for (const each of early) {
    const answer = await exchange(server.apiUrl, each.request);
    assert.equal(answer.comparable, usual.get(each), each.what);
  }
});

test('with the database stopped, what needs data is 503 and nothing is ever a 500', async () => {
  const late = cases.filter((each) => !each.early);
  assert.ok(late.length > 20);
  for (const each of late) {
    const answer = await exchange(forgetful.apiUrl, each.request);
    // The server still remembers a key that was refused a moment ago.
    const expected = each.status === 401 ? [401, 503] : [503];
    assert.ok(expected.includes(answer.status), `${each.what}: ${answer.status}`);
    if (answer.status === 503) assert.equal(answer.header('retry-after'), '1');
  }
});

test('200 slow connections are closed while others are served, and clients that never read are let go', async () => {
  await postgres.start();
  await eventually(async () => {
    assert.equal((await server.get('/api/v1/clubs/club-0', bearer(keys.good))).status, 200);
  });
  const port = Number(new URL(server.apiUrl).port);
  const accepted: Socket[] = [];
  server.api.on('connection', (socket: Socket) => accepted.push(socket));
  const slow = Array.from({ length: 200 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const trickle = setInterval(() => socket.write('X'), 700);
    return new Promise<void>((resolve) => {
      socket.on('close', () => {
        clearInterval(trickle);
        resolve();
      });
      socket.resume();
    });
  });
  const asking: NodeJS.Timeout[] = [];
  const neverReading = Array.from({ length: 5 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    const ask = setInterval(() => socket.write(request('/api/v1/clubs/club-0/battles?limit=100')), 15);
    socket.on('close', () => clearInterval(ask));
    asking.push(ask);
    return socket;
  });
  await sleep(300);
  const answer = await exchange(server.apiUrl, request('/api/v1/nowhere'));
  assert.equal(answer.status, 404);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(
      most,
      accepted.reduce((sum, socket) => sum + socket.writableLength, 0),
    );
  }, 50);
  await Promise.all(slow);
  // How long it takes until the buffers of the system are full depends on the machine.
  await eventually(() => assert.ok(most > 0, 'nothing waits to be read'));
  for (const ask of asking) clearInterval(ask);
  clearInterval(watch);
  assert.ok(most < 20e6, `${most} bytes wait to be read`);
  // A paused socket does not notice its end, so this checks the server's side.
  await eventually(async () => {
    const open = await promisify(server.api.getConnections.bind(server.api))();
    assert.ok(open <= 4, `${open} connections are still open`);
  });
  for (const socket of neverReading) socket.destroy();
});

function request(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${keys.good}\r\n\r\n`;
}

async function prepare() {
  const pool = createPool(postgres.url, { applicationName: 'test', size: 1 });
  await publishWorld(pool);
  const good = await createKeyForAccount(pool, 'good');
  const revoked = await createKeyForAccount(pool, 'good');
  const inactive = await createKeyForAccount(pool, 'inactive');
  await revokeKey(pool, revoked.id);
  await setAccountActive(pool, 'inactive', false);
  await pool.end();
  return { good: good.key, unknown: createKey(), revoked: revoked.key, inactive: inactive.key };
}
