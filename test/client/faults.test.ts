import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Call, clients, perform, type Result } from './clients.ts';
import { listen, send } from './listen.ts';

// Runs each client against a server with faults. Each case has its own address, so that one process performs
// all of them at once.

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
interface Case {
  /** The answers, one after the other. The last one is repeated. */
  answers: Answer[];
  call?: Call;
  /** The total number of requests. */
  requests: number;
  /** The data, or the code of the error. */
  gives: unknown;
  /** The minimum number of seconds between the first request and the second. */
  pause?: number;
  /** Half a minute, except in cases that wait for it. */
  timeoutSeconds?: number;
  retryAfter?: (seconds: unknown) => void;
  /** Texts that the error message must contain, with BASE for the address of the case. */
  names?: string[];
}

const key = 'svc_v1_AKeyThatMustNotLeaveForAnotherOriginEver00';
const good = { slug: 'good' };
const elsewhere: string[] = [];
const other = await listen((request, response) => {
  elsewhere.push(`${request.url} ${JSON.stringify(request.headers)}`);
  response.end('{"data":[],"next":null}');
});
const api = await listen(answer);

const ok: Answer = (response) => send(response, 200, { data: good }, { etag: 'W/"1.x"' });
const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    send(response, status, { error: { status, message: 'Refused', code: 'CODE' } }, headers);
const say =
  (text: string, status = 200): Answer =>
  (response) =>
    void response.writeHead(status).end(text);
const reset: Answer = (response) => void response.destroy();
const silent: Answer = () => {};
const truncated: Answer = (response) => {
  response.writeHead(200, { 'content-length': '999' });
  response.write('{"data":{"slug":"good"}}', () => response.destroy());
};
const truncatedChunks: Answer = (response) => {
  response.writeHead(200);
  response.write('{"data":{"slug":"good"}}', () => response.destroy());
};
const truncatedGzip: Answer = (response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' });
  response.end(gzipSync('{"data":{"slug":"good"}}').subarray(0, -20));
};
/** Sends a little more again and again, and never ends. */
const trickle: Answer = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
const nextAt =
  (next: string): Answer =>
  (response, request) =>
    send(response, 200, { data: [good], next: next.replace('BASE', baseOf(caseOf(request))) });
const list: Call = { name: 'tournaments.list' };
const foreign = (next: string): Case => ({
  answers: [nextAt(next)],
  call: list,
  requests: 1,
  gives: 'FOREIGN_NEXT',
  names: ['BASE/api/', next.split('?')[0] ?? ''],
});
const redirect = (status: number): Case => ({
  answers: [(response) => void response.writeHead(status, { location: `${other}/api/v1/x` }).end()],
  requests: 1,
  gives: 'REDIRECT',
});
const passes = (fault: Answer, pause = 0.25): Case => ({
  answers: [fault, fault, fault, ok],
  requests: 4,
  gives: good,
  pause,
});
const stays = (fault: Answer, gives = 'NO_ANSWER'): Case => ({ answers: [fault], requests: 4, gives });

/**
 * A case that refuses a segment that every runtime would remove from the path, which would read another
 * endpoint.
 */
const climbs = (name: string, slug: string): Case => ({
  answers: [],
  call: { name, args: [slug] },
  requests: 0,
  gives: 'NOT_FOUND',
});
const dotted: Case = { answers: [ok], requests: 1, gives: good };

const cases: Record<string, Case> = {
  'a 429 with seconds': {
    answers: [refuse(429, { 'retry-after': '1' }), ok],
    requests: 2,
    gives: good,
    pause: 1,
  },
  'a 503 with a date': {
    answers: [(r, q) => refuse(503, { 'retry-after': inSeconds(3) })(r, q), ok],
    requests: 2,
    gives: good,
    pause: 1.9,
  },
  'a 503 with a past date': {
    answers: [refuse(503, { 'retry-after': inSeconds(-99) }), ok],
    requests: 2,
    gives: good,
    pause: 0.25,
  },
  'a 503 with nonsense': passes(refuse(503, { 'retry-after': 'soon' })),
  'a 503 that stays': stays(refuse(503), 'CODE'),
  'a 429 for an hour': {
    answers: [refuse(429, { 'retry-after': '3600' })],
    requests: 1,
    gives: 'CODE',
    retryAfter: (it) => assert.equal(it, 3600),
  },
  'a 503 until next century': {
    answers: [refuse(503, { 'retry-after': 'Mon, 01 Jan 2125 00:00:00 GMT' })],
    requests: 1,
    gives: 'CODE',
    retryAfter: (it) => assert.equal(it, 86_400),
  },
  'a 404': { answers: [refuse(404)], requests: 1, gives: 'CODE' },
  'a 401': { answers: [refuse(401)], requests: 1, gives: 'CODE' },
  resets: passes(reset),
  'resets that stay': stays(reset),
  'truncated bodies': passes(truncated),
  'truncated chunks': passes(truncatedChunks),
  'truncated gzip': passes(truncatedGzip),
  'no answer': { answers: [silent, ok], requests: 2, gives: good, timeoutSeconds: 0.5 },
  'a body without an end': { answers: [trickle, ok], requests: 2, gives: good, timeoutSeconds: 0.5 },
  'broken JSON': passes(say('{"data":{"slug":"go')),
  'no JSON object': passes(say('null')),
  'a text in JSON': passes(say('"error and data"')),
  'a page of a proxy': stays(say('<html>Bad gateway</html>', 502)),
  'no data': stays(say('{}')),
  'data that is null': stays(say('{"data":null}')),
  'a list without next': { ...stays(say('{"data":[]}')), call: list },
  'changes without next': { ...stays(say('{"data":[],"after":"1.0"}')), call: { name: 'changes' } },
  'the error of a gateway': stays(say('{"error":"Service Unavailable"}', 503)),
  'the 404 of a gateway': {
    answers: [say('{"status":404,"error":"Not Found"}', 404)],
    requests: 1,
    gives: 'NOT_THE_API',
  },
  'an object instead of a list': { ...stays(say('{"data":{},"next":null}')), call: list },
  'a watch of what is not there': {
    answers: [say('<html>', 404)],
    call: { name: 'watch', args: ['cup'] },
    requests: 1,
    gives: 'NOT_THE_API',
  },
  'a 304 that nobody asked for': passes(say('', 304)),
  'a key that climbs': climbs('clubs.tournaments', '..'),
  'a key that stays': climbs('clubs.get', '.'),
  'a key that begins with dots': { ...dotted, call: { name: 'clubs.get', args: ['..a'] } },
  'a key in disguise': { ...dotted, call: { name: 'clubs.get', args: ['%2e%2E'] } },
  'a page that is not there': { answers: [say('<html>', 404)], requests: 1, gives: 'NOT_THE_API' },
  'next on another origin': foreign(`${other}/api/v1/tournaments?cursor=x`),
  'next with our address as the user': foreign(`BASE@${other.slice(7)}/api/v1/tournaments`),
  'next with our address as a prefix': foreign('BASE.example/api/v1/tournaments'),
  'next on our host by another port': foreign(`BASE0/api/v1/tournaments`),
  'next without a scheme': foreign(`//${other.slice(7)}/api/v1/tournaments`),
  'next that is relative': foreign('/api/v1/tournaments?cursor=x'),
  'next beside /api/': foreign('BASE/secret'),
  'next that climbs out': foreign('BASE/api/../secret'),
  'next that climbs out in disguise': foreign('BASE/api/%2E%2e/secret'),
  'next that is no address': foreign('javascript:alert(1)'),
  ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`a ${status}`, redirect(status)])),
};

const asked = new Map<string, number[]>();

for (const client of clients) {
  test(`${client.name} keeps its promises`, { skip: client.skip }, async (t) => {
    asked.clear();
    elsewhere.length = 0;
    const names = Object.keys(cases);
    const results = await perform(
      client,
      names.map((name) => ({
        options: { baseUrl: baseOf(name), key, timeoutSeconds: cases[name]?.timeoutSeconds ?? 30 },
        calls: [cases[name]?.call ?? { name: 'tournaments.get', args: ['good'] }],
      })),
    );
    for (const [turn, name] of names.entries()) {
      await t.test(name, () => check(name, results[turn]?.[0] ?? {}));
    }
    assert.deepEqual(elsewhere, [], 'a request went to another origin');
    assert.doesNotMatch(JSON.stringify(results), /AKeyThatMustNot/);
  });
}

function check(name: string, { value, error }: Result): void {
  const {
    requests,
    gives,
    pause = 0,
    timeoutSeconds,
    retryAfter,
    names = [],
  } = cases[name] ?? assert.fail(name);
  const times = asked.get(name) ?? [];
  assert.equal(times.length, requests, `requests; ${JSON.stringify({ value, error })}`);
  if (typeof gives === 'string') assert.deepEqual([error?.kind, error?.code], ['WartableError', gives]);
  else assert.deepEqual({ value, error }, { value: gives, error: undefined });
  if (error?.code === 'CODE') assert.deepEqual([error.message, error.requestId], ['Refused', 'request-1']);
  const [first = 0, second = Infinity] = times;
  // A Node timer may fire a millisecond early.
  assert.ok(second - first >= pause * 1000 - 3, `asked again after ${second - first} ms`);
  // This is far below the half minute of the other cases.
  if (timeoutSeconds) assert.ok(second - first <= 20_000, `asked again after ${second - first} ms`);
  retryAfter?.(Math.round(Number(error?.retryAfter)));
  for (const each of names)
    assert.ok(error?.message.includes(each.replace('BASE', baseOf(name))), error?.message);
}

function caseOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(url.split('/')[1] ?? '');
}

function baseOf(name: string): string {
  return `${api}/${encodeURIComponent(name)}`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const name = caseOf(request);
  const times = asked.get(name) ?? [];
  asked.set(name, [...times, performance.now()]);
  const { answers } = cases[name] ?? assert.fail(name);
  (answers[times.length] ?? answers.at(-1))?.(response, request);
}
