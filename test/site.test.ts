import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createTestDatabase } from './database.ts';
import { startTestServer } from './server.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  apiUrl: 'https://api.wartable.example',
});

test('the landing page shows the way to the reference and to a first request, without a key', async () => {
  const page = await fetch(server.siteUrl);
  assert.equal(page.status, 200);
  const text = await page.text();
  assert.match(text, /href="\/reference\/"/);
  assert.match(text, /"https:\/\/api\.wartable\.example\/api\/v1\/tournaments\?limit=5"/);
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'none';/);
});

test('openapi.json is the contract, with the address that the API has', async () => {
  const response = await fetch(`${server.siteUrl}/openapi.json`);
  const document = (await response.json()) as { servers: unknown; paths: object };
  assert.deepEqual(document.servers, [{ url: 'https://api.wartable.example' }]);
  assert.equal(Object.keys(document.paths).length, 10);
});

test('the reference names no other host, and its policy lets it reach none but the API', async () => {
  const page = await fetch(`${server.siteUrl}/reference`);
  const html = await page.text();
  assert.doesNotMatch(html, /(src|href)="(https?:)?\/\//);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /connect-src 'self' https:\/\/api\.wartable\.example;/);
  assert.match(policy, /script-src 'self' 'sha256-[^']+';/);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
});

test('pages are compressed where that is accepted, and not sent again when the caller has them', async () => {
  const script = `${server.siteUrl}/reference/js/scalar.js`;
  const response = await fetch(script);
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.ok((await response.text()).length > 1_000_000);
  const etag = response.headers.get('etag') ?? '';
  assert.equal((await fetch(script, { headers: { 'if-none-match': etag } })).status, 304);
});

test('a flood of made-up Accept-Encoding values compresses nothing anew, and memory stays bounded', async () => {
  const flood = (from: number) =>
    Array.from(
      { length: 150 },
      (_, i) =>
        `HEAD /reference/js/scalar.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br, x${from + i}\r\n\r\n`,
    ).join('');
  await answersTo(flood(0), 150);
  const before = process.cpuUsage();
  const memory = process.memoryUsage.rss();
  let peak = memory;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const lengths = new Set<string | undefined>();
  for (let round = 1; round <= 4; round += 1) {
    const answers = await answersTo(flood(round * 150), 150);
    for (const [, length] of answers.matchAll(/^content-length: (\d+)/gim)) lengths.add(length);
  }
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  assert.equal(lengths.size, 1);
  // Compressing the script once takes about 0.1 s.
  assert.ok((user + system) / 1e6 < 5, `${(user + system) / 1e6} s of work for 600 answers`);
  assert.ok(peak - memory < 100e6, `${(peak - memory) / 1e6} MB more`);
});

test('everything else is not found, in plain text, with nothing of the request in it', async () => {
  for (const path of ['/nowhere', '/api/v1/tournaments', '/reference/x', '/%zz']) {
    const response = await fetch(`${server.siteUrl}${path}`);
    assert.ok([400, 404].includes(response.status), path);
    assert.match(await response.text(), /^(Not found|This cannot be answered)\n$/);
  }
});

/** Sends it all in one write, and reads until so many answers have come. */
function answersTo(requests: string, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.siteUrl).port), '127.0.0.1');
    let answers = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answers += chunk;
      if (answers.split('HTTP/1.1 200 ').length > count && answers.endsWith('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(answers));
    socket.on('error', reject);
    socket.write(requests);
  });
}
