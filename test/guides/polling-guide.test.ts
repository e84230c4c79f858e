import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishStale } from '../../src/publish/publisher.ts';
import { createTestDatabase } from '../support/database.ts';
import { smallRecords } from '../../src/commands/demo/world.ts';
import { importLines } from '../support/feed.ts';
import { blocksOf } from './guide-blocks.ts';
import { samplesRunBy } from './samples.ts';
import { freePort } from '../../scripts/postgres.ts';
import { createTestKey, eventually, startTestServer } from '../support/server.ts';

// The program of docs/api/polling.md, as it stands there, while the server has its troubles.

const blocks = blocksOf(await readFile(new URL('../../docs/api/polling.md', import.meta.url), 'utf8'));
const [sample] = samplesRunBy(import.meta.filename);
const at = blocks.findIndex(({ line }) => line === sample?.line);
const program = sample?.text ?? '';
const everyMs = 100;

test('the program goes on after a restart of the server', async (t) => {
  const database = await createTestDatabase();
  const client = await database.pool.connect();
  await importLines(client, smallRecords());
  client.release();
  await publishStale(database.pool);
  const { key } = await createTestKey(database);
  const serving = await database.loginAs('wartable_serve');
  const apiPort = await freePort();
  const server = await startTestServer(serving, { apiPort });

  const lines = startProgram(t, apiPort, key);
  const shown = blocks[at + 1]?.text.trim().split('\n') ?? [];
  await eventually(20_000, () => assert.deepEqual(lines.slice(0, shown.length), shown));
  await server.close();
  await eventually(20_000, () => assert.equal(lines.at(-1), 'fetch failed'));
  const before = lines.length;
  await startTestServer(serving, { apiPort });
  await eventually(20_000, () =>
    assert.ok(lines.slice(before).includes(shown.at(-1) ?? ''), lines.join('\n')),
  );
});

test('the program waits for Retry-After, and keeps the last good standings', async (t) => {
  const good = (...data: string[]) => JSON.stringify({ data });
  const answers: ScriptedAnswer[] = [
    { status: 200, headers: { etag: 'W/"one"' }, body: good('ada', 'ben'), prints: '200 2' },
    { status: 503, headers: { 'retry-after': '1' }, body: '{}', prints: '503 2' },
    { status: 429, headers: { 'retry-after': '1' }, body: '{}', prints: '429 2' },
    { status: 503, headers: { 'retry-after': '1', 'content-length': '9' }, body: '{', prints: 'terminated' },
    { status: 503, headers: { 'retry-after': 'Mon, 01 Jan 2125 00:00:00 GMT' }, body: '{}', prints: '503 2' },
    { status: 200, headers: { etag: 'W/"two"' }, body: '<html>', prints: /JSON/ },
    { status: 200, headers: { etag: 'W/"two"' }, body: 'null', prints: /null/ },
    { status: 200, headers: { etag: 'W/"two"' }, body: '{}', prints: 'This is not an answer of the API' },
    { status: 200, headers: { etag: 'W/"two"', 'content-length': '99' }, body: '{', prints: 'terminated' },
    { status: 304, headers: {}, body: '', prints: '304 2' },
    { status: 200, headers: { etag: 'W/"three"' }, body: good('ada', 'ben', 'cleo'), prints: '200 3' },
    // More milliseconds than a timer can wait: it would fire at once.
    { status: 503, headers: { 'retry-after': '99999999999' }, body: '{}', prints: '503 3' },
  ];
  const { port, asked } = await startScripted(t, answers);

  const lines = startProgram(t, port, 'a key');
  await eventually(20_000, () => assert.equal(lines.length, answers.length));
  await sleep(3 * everyMs);
  assert.equal(asked.length, answers.length, 'it did not wait for a large Retry-After');
  for (const [turn, { headers, prints }] of answers.entries()) {
    const request = asked[turn];
    const next = asked[turn + 1];
    assert.ok(request);
    assert.match(lines[turn] ?? '', typeof prints === 'string' ? new RegExp(`^${prints}$`) : prints);
    const tag = turn === 0 ? undefined : turn === answers.length - 1 ? 'W/"three"' : 'W/"one"';
    assert.equal(request.headers['if-none-match'], tag);
    // A timer of Node may fire a millisecond early.
    const waitMs = headers['retry-after'] === '1' ? 1_000 : everyMs;
    if (next) assert.ok(next.time - request.time >= waitMs - 2, `asked too early after answer ${turn}`);
  }
});

interface ScriptedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  prints: string | RegExp;
}

/** A server that gives these answers, one after the other. One that is shorter than its Content-Length breaks off. */
async function startScripted(t: TestContext, answers: ScriptedAnswer[]) {
  const asked: { time: number; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const answer = answers[asked.length];
    asked.push({ time: performance.now(), headers: request.headers });
    response.writeHead(answer?.status ?? 500, answer?.headers);
    if (answer?.headers['content-length'] === undefined) response.end(answer?.body);
    else response.write(answer.body, () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** The lines it has printed so far. */
function startProgram(t: TestContext, port: number, key: string): string[] {
  const lines: string[] = [];
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    env: { API: `http://127.0.0.1:${port}`, KEY: key, POLL_SECONDS: String(everyMs / 1000) },
  });
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  t.after(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
  });
  return lines;
}
