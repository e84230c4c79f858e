import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Agent, get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { Club } from '../../src/contract/club.ts';
import { createKey } from '../../src/keys/key.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { freePort } from '../../harness/support/postgres.ts';
import {
  bearer,
  createTestKey,
  eventually,
  get,
  startTestServer,
  testCursorSecret,
} from '../../harness/support/server.ts';

const database = await createTestDatabase();
const { key } = await createTestKey(database);
const serving = await database.loginAs('wartable_serve');
const publishing = await database.loginAs('wartable_publish');
const server = await startTestServer(serving);

const northGate = {
  kind: 'club',
  slug: 'north-gate',
  name: 'Würfelbund Nordtor',
  city: 'Lübeck',
  members: 41,
};

test('a club is recorded, published and served: from a line of the feed to the bytes of an answer', async () => {
  const environment = { DATABASE_URL: publishing };
  const feed = `${JSON.stringify(northGate)}\n`;
  const imported = await wartable(['import', '-'], environment, feed);
  assert.equal(imported.code, 0, imported.stderr);

  const answer = await server.get('/api/v1/clubs/north-gate', bearer(key));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
  assert.equal(answer.headers.get('vary'), 'Authorization, Accept-Encoding');
  // The conformance tests know all members of a club.
  const { slug, name, city, members } = (answer.json as { data: Club }).data;
  assert.deepEqual({ kind: 'club', slug, name, city, members }, northGate);
});

test('the same feed again writes nothing and moves no revision; a change moves it up', async () => {
  const environment = { DATABASE_URL: publishing };
  const versions = async () => {
    const { rows } = await database.pool.query(
      "select 'fact' as what, xmin::text, null as revision from record.club union all select 'document', xmin::text, revision from published.club order by 1",
    );
    return rows as { what: string; xmin: string; revision: string | null }[];
  };
  const before = await versions();
  await wartable(['import', '-'], environment, JSON.stringify(northGate));
  assert.deepEqual(await versions(), before);

  await wartable(['import', '-'], environment, JSON.stringify({ ...northGate, members: 42 }));
  const after = await versions();
  const revision = (rows: typeof after) => BigInt(rows.find((row) => row.what === 'document')?.revision ?? 0);
  assert.ok(revision(after) > revision(before));
  const { json } = await server.get('/api/v1/clubs/north-gate', bearer(key));
  assert.equal((json as { data: { members: number } }).data.members, 42);
});

test('HEAD answers like GET without a body', async () => {
  const url = `${server.apiUrl}/api/v1/clubs/north-gate`;
  const full = await get(url, bearer(key));
  const head = await fetch(url, { method: 'HEAD', headers: bearer(key) });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
  for (const name of ['content-type', 'cache-control', 'vary', 'content-length']) {
    assert.equal(head.headers.get(name), full.headers.get(name), name);
  }
});

test('1,000 callers with one uncached key cause one key query', async () => {
  const fresh = await createTestKey(database);
  const cold = await startTestServer(serving);
  // Until it listens for notices, a server does not trust anything that it has read.
  await eventually(() => assert.match(cold.log(), /listening for notices/));
  const agent = new Agent({ maxSockets: 1_000 });
  const statuses = await Promise.all(
    Array.from({ length: 1_000 }, () => statusOf(agent, `${cold.apiUrl}/api/v1/nowhere`, fresh.key)),
  );
  agent.destroy();
  assert.deepEqual(new Set(statuses), new Set([404]));
  const metrics = await (await fetch(`${cold.opsUrl}/metrics`)).text();
  assert.match(metrics, /^wartable_key_queries_total 1$/m);
});

test('a bad checksum costs no key query', async () => {
  const cold = await startTestServer(serving);
  for (let i = 0; i < 20; i += 1) await cold.get('/', bearer(`${createKey()}x`));
  assert.match(await (await fetch(`${cold.opsUrl}/metrics`)).text(), /^wartable_key_queries_total 0$/m);
});

test('a caller who sends 64 requests in one write and goes away holds no place', async () => {
  const other = await startTestServer(serving);
  const request = `GET /api/v1/clubs/north-gate HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  for (let round = 0; round < 5; round += 1) {
    const socket = connect(Number(new URL(other.apiUrl).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request.repeat(64));
    await sleep(1 + round);
    socket.resetAndDestroy();
  }
  await eventually(async () => {
    assert.equal((await other.get('/api/v1/clubs/north-gate', bearer(key))).status, 200);
    assert.match(await (await fetch(`${other.opsUrl}/metrics`)).text(), /^wartable_document_reads 0$/m);
  });
});

test('callers who go away while their key is being looked up hold no place', async () => {
  const { key: fresh } = await createTestKey(database);
  const other = await startTestServer(serving);
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table keys.key in access exclusive mode');
  const agent = new Agent({ maxSockets: 100 });
  const requests = Array.from({ length: 70 }, () =>
    statusOf(agent, `${other.apiUrl}/api/v1/clubs/north-gate`, fresh).catch(() => 0),
  );
  await sleep(200);
  agent.destroy();
  await Promise.all(requests);
  await blocker.query('rollback');
  blocker.release();
  await eventually(async () => {
    assert.equal((await other.get('/api/v1/clubs/north-gate', bearer(fresh))).status, 200);
    assert.match(await (await fetch(`${other.opsUrl}/metrics`)).text(), /^wartable_document_reads 0$/m);
  });
});

test('200 callers with as many different cold keys are all recognised', async () => {
  const keys: string[] = [];
  for (let i = 0; i < 200; i += 1) keys.push((await createTestKey(database, 'many')).key);
  const cold = await startTestServer(serving);
  const agent = new Agent({ maxSockets: 200 });
  const ask = (each: string) => statusOf(agent, `${cold.apiUrl}/none`, each);
  // On a busy machine some wait too long for a connection, and ask again as they are told to.
  const statuses = await Promise.all(
    keys.map(async (each) => {
      let status = await ask(each);
      for (let again = 0; again < 5 && status === 503; again += 1) status = await ask(each);
      return status;
    }),
  );
  agent.destroy();
  assert.deepEqual(new Set(statuses), new Set([404]));
});

test('while the primary is down, a running server verifies keys on the replicas it was given', async () => {
  const { key: fresh } = await createTestKey(database);
  const nowhere = 'postgres://nobody@127.0.0.1:1/none';
  const other = await startTestServer(nowhere, { readUrls: ['postgres://nobody@127.0.0.1:2/none', serving] });
  assert.equal((await other.get('/api/v1/nowhere', bearer(fresh))).status, 404);
  assert.equal((await other.get('/api/v1/nowhere', bearer(createKey()))).status, 401);
});

test('a listener whose backend is frozen notices it, and listens again after the thaw', async () => {
  const { rows } = await database.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'wartable-listener' and datname = current_database()",
  );
  const pids = rows.map((row) => row.pid);
  const listening = async () =>
    /^wartable_listening (\d)$/m.exec(await (await fetch(`${server.opsUrl}/metrics`)).text())?.[1];
  assert.equal(await listening(), '1');
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await eventually(async () => assert.equal(await listening(), '0'));
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => assert.equal(await listening(), '1'));
});

test('a listener that cannot listen ends the command, and names its settings', async () => {
  const taken = new URL(server.apiUrl).port;
  const settings = {
    DATABASE_URL: serving,
    LOG_LEVEL: 'warn',
    CURSOR_SECRETS: testCursorSecret,
    API_PORT: '0',
    SITE_PORT: '0',
    OPS_PORT: '0',
  };
  const address = `127.0.0.1:${taken}`;
  const isTakenFor = (port: string) =>
    `the port is taken: set ${port} to another, or end the program that has it.`;
  const cases: [setting: Record<string, string>, says: string][] = [
    [{ API_PORT: taken }, `The API cannot listen on ${address}: ${isTakenFor('API_PORT')}`],
    [{ SITE_PORT: taken }, `The site cannot listen on ${address}: ${isTakenFor('SITE_PORT')}`],
    [{ OPS_PORT: taken }, `The private listener cannot listen on ${address}: ${isTakenFor('OPS_PORT')}`],
    [
      { SITE_HOST: '192.0.2.1' },
      'The site cannot listen on 192.0.2.1:0: this machine does not have the address: correct SITE_HOST.',
    ],
  ];
  for (const [setting, says] of cases) {
    const run = await wartable(['serve'], { ...settings, ...setting });
    assert.deepEqual([run.stderr, run.code], [`wartable: ${says}\n`, 2]);
  }
});

test('no key reaches the log, wherever a caller puts it', async () => {
  const { key: secret } = await createTestKey(database);
  const encoded = secret.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  for (const path of [`/${secret}`, `/api/v1/clubs/${secret}`, `/?key=${secret}`, `/${encoded}`]) {
    await server.get(path, bearer(secret));
    await server.get(path, { 'x-api-key': secret, 'user-agent': secret, referer: `https://x/?k=${secret}` });
    await server.get(path, bearer(`${secret}x`));
  }
  const random = secret.slice('svc_v1_'.length);
  assert.ok(!server.log().includes(random));
  assert.ok(!server.log().toLowerCase().includes(encoded.slice(-40)));
  assert.match(server.log(), /"keyId":"\d+"/);
});

test('a request under way when draining begins is answered, on a connection that is then closed', async () => {
  const draining = await startTestServer(serving, { cacheMegabytes: 0 });
  await draining.get('/api/v1/clubs/north-gate', bearer(key));
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table published.club in access exclusive mode');
  const answer = fetch(`${draining.apiUrl}/api/v1/clubs/north-gate`, { headers: bearer(key) });
  await eventually(async () => {
    const metrics = await (await fetch(`${draining.opsUrl}/metrics`)).text();
    assert.match(metrics, /^wartable_document_reads 1$/m);
  });
  const closed = draining.close();
  await sleep(200);
  await blocker.query('rollback');
  blocker.release();
  const { status, headers } = await answer;
  assert.equal(status, 200);
  assert.equal(headers.get('connection'), 'close');
  await closed;
});

test('the log names the public addresses, and SIGTERM: readiness turns false first, requests are still answered, then the process ends with 0', async (t) => {
  const [apiPort, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['src/cli.ts', 'serve'], {
    cwd: new URL('../..', import.meta.url),
    env: {
      DATABASE_URL: serving,
      API_PORT: String(apiPort),
      OPS_PORT: String(opsPort),
      SITE_PORT: '0',
      CURSOR_SECRETS: testCursorSecret,
      SITE_URL: 'https://pages.example',
      DRAIN_SECONDS: '3',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.on('data', (chunk) => (log += String(chunk)));
  t.after(() => child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const club = `http://127.0.0.1:${apiPort}/api/v1/clubs/north-gate`;
  const ready = `http://127.0.0.1:${opsPort}/ready`;
  await eventually(async () => assert.equal((await get(ready)).status, 200));
  const ops = `http://127.0.0.1:${opsPort}`;
  assert.ok(
    log.includes(`"api":"http://localhost:${apiPort}","site":"https://pages.example","ops":"${ops}"`),
    log,
  );

  child.kill('SIGTERM');
  await eventually(async () => {
    assert.deepEqual((await get(ready)).json, { ready: false, reason: 'draining' });
  });
  assert.equal((await get(club, bearer(key))).status, 200);
  assert.equal(await ended, 0);
  await assert.rejects(get(club, bearer(key)));
});

function statusOf(agent: Agent, url: string, bearerKey: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent, headers: bearer(bearerKey) }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}
