import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../harness/support/database.ts';
import { undecodableSlugs, unknownSlugs } from '../api/hostile/slugs.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Sends requests to the API as bytes on a socket, which no HTTP client would send. front.test.ts tests what
// all listeners have in common.
const database = await createTestDatabase();
await database.pool.query(
  `insert into published.club values ('north-gate', 1, '{"slug":"north-gate","url":"', '')`,
);
// There is one club for each attempt in the test below, because anything that was asked for before is
// answered from memory.
const attempts = 10;
await database.pool.query(
  `insert into published.club select name, 1, '{"slug":"' || name || '","url":"', ''
   from generate_series(1, $1) as attempt, concat('pipelined-', attempt) as name`,
  [attempts],
);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { key } = await createTestKey(database);
const club = '/api/v1/clubs/north-gate';
let asked = 0;
const missing = 'Missing or invalid Authorization header';

/** What is sent, and the expected answer: its status and, for a refusal, its message. */
type Case = [what: string, request: string, status: number, message?: string];

const malformed: Case[] = [
  ['a raw NUL in the target', get(`${club}\0`), 400],
  ['raw UTF-8 in the target', get(`${club}é`), 400],
  [
    'Content-Length with Transfer-Encoding',
    get(club, 'Content-Length: 0', 'Transfer-Encoding: chunked'),
    400,
  ],
  ['two Content-Lengths', get(club, 'Content-Length: 0', 'Content-Length: 1'), 400],
  ['an unknown transfer coding', get(club, 'Transfer-Encoding: xchunked'), 400],
  ['bare LF', get(club).replaceAll('\r\n', '\n'), 400],
  ['bare CR', get(club).replaceAll('\r\n', '\r'), 400],
  ['a folded header', get(club, 'X-A: b\r\n c'), 400],
  ['a space before the colon', get(club, 'X-A : b'), 400],
  ['no Host', `GET ${club} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`, 400],
  ['two Hosts', get(club, 'Host: other'), 400],
  ['two Hosts, the second of them empty', get(club, 'Host:'), 400],
  ['two Hosts with HTTP/1.0', get(club, 'Host: other').replace('HTTP/1.1', 'HTTP/1.0'), 400],
  ['an HTTP/0.9 line', `GET ${club}\r\n\r\n`, 400],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a method nobody knows', get(club).replace('GET', 'FROB'), 400],
  ['CONNECT', 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n', 400],
  ['9 KB of headers', get(club, `X-A: ${'a'.repeat(9_000)}`), 431],
  ['an expectation nobody can meet', get(club, 'Expect: foo'), 417],
];

const keys: Case[] = [
  ['no header', get(club, null), 401, missing],
  ['Basic', get(club, null, 'Authorization: Basic YTpi'), 401, missing],
  ['Bearer alone', get(club, null, 'Authorization: Bearer'), 401, missing],
  ['Bearer and spaces', get(club, null, 'Authorization: Bearer   '), 401, missing],
  ['a tab for the space', get(club, null, `Authorization: Bearer\t${key}`), 401, missing],
  ['two keys', get(club, null, `Authorization: Bearer ${key} ${key}`), 401, missing],
  ['two headers', get(club, `authorization: Bearer ${key}`), 401, missing],
  ['two headers, the second of them empty', get(club, 'Authorization:'), 401, missing],
  [
    'two headers, the first of them empty',
    get(club, null, 'Authorization:', `Authorization: Bearer ${key}`),
    401,
    missing,
  ],
  ['a key in the query only', get(`${club}?key=${key}`, null), 401, missing],
  ['another kind of key', get(club, null, 'Authorization: Bearer sk_x'), 401, 'Invalid API key format'],
  [
    'the prefix in capitals',
    get(club, null, `Authorization: Bearer ${key.toUpperCase()}`),
    401,
    'Invalid API key format',
  ],
  ['the prefix alone', get(club, null, 'Authorization: Bearer svc_v1_'), 401, 'Invalid API key'],
  [
    'a 7 KB key',
    get(club, null, `Authorization: Bearer svc_v1_${'a'.repeat(7_000)}`),
    401,
    'Invalid API key',
  ],
  ['Latin-1 after the prefix', get(club, null, 'Authorization: Bearer svc_v1_é'), 401, 'Invalid API key'],
  ['bearer in lower case', get(club, null, `Authorization: bearer ${key}`), 200],
  ['an undecodable path without a key', get('/api/v1/clubs/%zz', null), 401, missing],
  ['a body without a key', `${get(club, null, 'Content-Length: 1')}x`, 401, missing],
];

const targets: Case[] = [
  ['an absolute target for another host', get(`http://other.example${club}`), 200],
  ['an absolute target without a path', get('http://other.example'), 404, 'Endpoint not found'],
  ['the asterisk', get('*'), 404, 'Endpoint not found'],
  ['a GET with a body', `${get(club, 'Content-Length: 1')}x`, 400, 'A request must not have a body'],
  [
    'a GET with a chunked body',
    `${get(club, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    400,
    'A request must not have a body',
  ],
  ['a GET with Content-Length 0', get(club, 'Content-Length: 0'), 200],
  ['HTTP/1.0 without a Host', `GET ${club} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`, 200],
  ['X-Forwarded-Host', get(club, 'X-Forwarded-Host: evil.example'), 200],
  ...undecodableSlugs.map((slug): Case => [
    `the slug ${slug}`,
    get(`/api/v1/clubs/${slug}`),
    400,
    'Malformed request',
  ]),
  ...unknownSlugs.map((slug): Case => [
    `the slug ${slug.slice(0, 20)}`,
    get(`/api/v1/clubs/${slug}`),
    404,
    'Club not found',
  ]),
  ['a trailing slash', get(`${club}/`), 404, 'Endpoint not found'],
  ['a double slash', get('/api/v1//clubs/north-gate'), 404, 'Endpoint not found'],
  ['a slash in a name', get('/api/v1/clubs/north-gate%2Fbattles'), 404, 'Club not found'],
  ['an escaped slash between names', get('/api%2Fv1/clubs/north-gate'), 404, 'Endpoint not found'],
  ['an escaped slash after a name', get('/api/v1/clubs/north-gate/%2Fbattles'), 404, 'Endpoint not found'],
  ['capitals in the path', get('/API/v1/clubs/north-gate'), 404, 'Endpoint not found'],
];

for (const [what, request, status, message] of [...malformed, ...keys, ...targets]) {
  test(`${what} is answered with ${status}`, async () => {
    const answer = await exchange(request);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
    assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
    assert.match(head, /^x-request-id: [0-9a-f-]{36}$/im);
    if (status === 200) {
      assert.equal(body, '{"data":{"slug":"north-gate","url":"https://wartable.example/clubs/north-gate"}}');
      return;
    }
    const { error } = JSON.parse(body) as { error: Record<string, unknown> };
    assert.deepEqual(Object.keys(error), ['status', 'message', 'code']);
    assert.equal(error['status'], status);
    if (message !== undefined) assert.equal(error['message'], message);
  });
}

test('of requests that one connection sends at once, one is answered at a time', async () => {
  const reads = async () =>
    Number(
      /^wartable_document_reads (\d+)$/m.exec(
        await (await fetch(`${server.opsUrl}/metrics`, { signal: AbortSignal.timeout(5_000) })).text(),
      )?.[1],
    );
  let [most, answers, heldMs] = [0, '', Infinity];
  // Retried because on a machine that stands still, the request that waits for the table may be late and get
  // a 503.
  for (let attempt = 1; heldMs > 1_500 && attempt <= attempts; attempt += 1) {
    const request = `/api/v1/clubs/pipelined-${attempt}`;
    const blocker = await database.pool.connect();
    await blocker.query("begin; set local lock_timeout = '60s'");
    await blocker.query('lock table published.club in access exclusive mode');
    const lockedAt = performance.now();
    const pipelined = exchangeAll(get(request).repeat(14) + get(request, 'Connection: close'));
    try {
      await eventually(async () => assert.equal(await reads(), 1), 1_500);
      await sleep(200);
      most = await reads();
    } catch {
      // The read gave up before anybody saw it wait.
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
    heldMs = performance.now() - lockedAt;
    answers = await pipelined;
  }
  assert.equal(most, 1);
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 15);
});

for (const [which, before] of [
  ['wait', ''],
  ['wait behind others that are answered', () => get(`/api/v1/tournaments/none-${(asked += 1)}`)],
] as const) {
  test(`requests that ${which} take no memory to speak of: the rest is not read yet`, async () => {
    const blocker = await database.pool.connect();
    await blocker.query('begin; lock table published.club in access exclusive mode');
    const socket = connect(Number(new URL(server.apiUrl).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    const first = before === '' ? '' : Array.from({ length: 10 }, before).join('');
    const flood = first + get('/api/v1/clubs/never-there', `X-A: ${'a'.repeat(7_000)}`).repeat(5_000);
    socket.write(flood);
    let unread = 0;
    try {
      await sleep(1_000);
      // What the server did not read is waiting in the kernel's buffers, or here.
      unread = socket.writableLength;
    } finally {
      await blocker.query('rollback');
      blocker.release();
      socket.destroy();
    }
    assert.ok(unread > 0.5 * flood.length, `${unread} of ${flood.length} bytes wait to be read`);
  });
}

test('what is no HTTP is counted and stands in the log by its request id', async () => {
  const answer = await exchange('nonsense\r\n\r\n');
  const requestId = /^x-request-id: (\S+)/im.exec(answer)?.[1] ?? 'none';
  assert.ok(server.log().includes(requestId));
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
  assert.match(metrics, /^wartable_request_seconds_count\{route="none",status="400"\} \d+$/m);
});

test('nothing above was an error of ours, and no key came into the log', () => {
  assert.ok(!/"level":"(error|fatal)"/.test(server.log()));
  assert.ok(!server.log().includes(key.slice('svc_v1_'.length)));
  assert.ok(server.log().includes('"keyId"'));
});

/** Returns a request with a valid key, or without one if the first header is `null`. */
function get(target: string, ...headers: (string | null)[]): string {
  const authorization = headers[0] === null ? [] : [`Authorization: Bearer ${key}`];
  const given = headers.filter((header) => header !== null);
  return [`GET ${target} HTTP/1.1`, 'Host: test', ...authorization, ...given, '', ''].join('\r\n');
}

function exchange(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.apiUrl).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1');
    socket.setTimeout(120_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (answer.includes('\r\n\r\n') && body.length >= Number(length)) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(request, 'latin1');
  });
}

/** Returns everything that arrives until the server closes the connection. */
function exchangeAll(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.apiUrl).port), '127.0.0.1');
    let answers = '';
    socket.setTimeout(120_000, () => socket.destroy(new Error('the connection stays open')));
    socket.on('data', (chunk) => (answers += chunk.toString('latin1')));
    socket.on('close', () => resolve(answers));
    socket.on('error', reject);
    socket.write(request, 'latin1');
  });
}
