import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';

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

test('the terms and the contact of the operator stand in openapi.json and on the page, and the licence of the software does not', async () => {
  const infoOf = async (given: { termsUrl?: string; contactUrl?: string }) => {
    const { siteUrl, close } = await startTestServer(database.url, given);
    const { info } = (await (await fetch(`${siteUrl}/openapi.json`)).json()) as {
      info: Record<string, unknown>;
    };
    const page = await (await fetch(siteUrl)).text();
    await close();
    const { termsOfService, contact, license } = info;
    return { termsOfService, contact, license, links: page.match(/<a href="(?!\/)[^>]*>\w+<\/a>/g) };
  };
  const terms = 'https://club.example/terms?a=1&b=2';
  assert.deepEqual(await infoOf({ termsUrl: terms, contactUrl: 'https://club.example/contact' }), {
    termsOfService: terms,
    contact: { url: 'https://club.example/contact' },
    license: undefined,
    links: [
      '<a href="https://club.example/terms?a=1&amp;b=2">Terms</a>',
      '<a href="https://club.example/contact">Contact</a>',
    ],
  });
  assert.deepEqual(await infoOf({ contactUrl: 'mailto:results@club.example' }), {
    termsOfService: undefined,
    contact: { email: 'results@club.example' },
    license: undefined,
    links: ['<a href="mailto:results@club.example">Contact</a>'],
  });
  assert.deepEqual(await infoOf({}), {
    termsOfService: undefined,
    contact: undefined,
    license: undefined,
    links: null,
  });
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

test('pages are compressed where that is accepted, under one weak tag', async () => {
  const script = `${server.siteUrl}/reference/js/scalar.js`;
  const tags = new Set<string | null>();
  for (const encoding of ['gzip', 'br', 'identity']) {
    const response = await fetch(script, { headers: { 'accept-encoding': encoding } });
    assert.equal(response.headers.get('content-encoding') ?? 'identity', encoding);
    assert.ok((await response.text()).length > 1_000_000);
    tags.add(response.headers.get('etag'));
  }
  assert.equal(tags.size, 1);
  assert.match([...tags].join(), /^W\/"[\w-]{16}"$/);
});

for (const path of ['/', '/reference/', '/reference/js/scalar.js', '/openapi.json']) {
  test(`${path} is not sent again to a caller who has it, for every form of its tag`, async () => {
    for (const encoding of ['gzip', 'br', 'identity']) {
      const ask = async (method: string, more: Record<string, string> = {}) => {
        const headers = { 'accept-encoding': encoding, ...more };
        const response = await fetch(`${server.siteUrl}${path}`, { method, headers });
        await response.arrayBuffer();
        const of = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name));
        return { status: response.status, headers: Object.fromEntries(of) };
      };
      const full = await ask('GET');
      assert.deepEqual(await ask('HEAD'), full);
      const ofNoBody = Object.entries(full.headers).filter(
        ([name]) => !/^content-(type|length|encoding)$/.test(name),
      );
      const notModified = { status: 304, headers: Object.fromEntries(ofNoBody) };
      const etag = full.headers['etag'] ?? '';
      for (const condition of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
        assert.deepEqual(await ask('GET', { 'if-none-match': condition }), notModified, condition);
        assert.deepEqual(await ask('HEAD', { 'if-none-match': condition }), notModified, condition);
      }
      for (const condition of ['"x"', `${etag} ${etag}`, etag.slice(2, -1)]) {
        assert.deepEqual(await ask('GET', { 'if-none-match': condition }), full, condition);
      }
    }
  });
}

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
