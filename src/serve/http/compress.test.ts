import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Body, chosenEncoding } from './compress.ts';

const choices: [acceptEncoding: string, chosen: 'br' | 'gzip' | undefined][] = [
  ['', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', undefined],
  ['gzip;q=2', undefined],
  ['gzip;level=9', undefined],
  [';;q, ,gzip ; q=0.8', 'gzip'],
];

const here = new AbortController().signal;

for (const [acceptEncoding, chosen] of choices) {
  test(`Accept-Encoding "${acceptEncoding}" gets ${chosen ?? 'plain text'}`, () => {
    assert.equal(chosenEncoding(acceptEncoding), chosen);
  });
}

test('a body is compressed as chosen, and only when it is large enough', async () => {
  const large = 'wörter '.repeat(1_000);
  const br = await new Body(large).in('br', here);
  assert.equal(brotliDecompressSync(br.bytes).toString(), large);
  const gzip = await new Body(large).in('gzip', here);
  assert.equal(gunzipSync(gzip.bytes).toString(), large);
  assert.equal((await new Body('{"data":[]}').in('br', here)).encoding, undefined);
});

test('a body is compressed once per encoding, for any form of the header, and tells what it weighs', async () => {
  const body = new Body('x'.repeat(2_000));
  assert.equal(body.ready('br'), undefined);
  const beside = body.size - 2_000;
  assert.ok(beside > 0);
  const headers = [undefined, 'x', 'br', 'br, x', 'BR;q=0.5', 'gzip', 'gzip, y', 'gzip;q=1, br;q=0'];
  const made = await Promise.all(headers.map((header) => body.in(header, here)));
  const bodies = new Set(made.map(({ bytes }) => bytes));
  assert.equal(bodies.size, 3);
  assert.equal(body.ready('br'), made[2]);
  assert.equal(
    body.size - 3 * beside,
    [...bodies].reduce((sum, { length }) => sum + length, 0),
  );
});

test('a body keeps no more memory alive than its own bytes', async () => {
  const body = new Body('x'.repeat(2_000));
  for (const header of ['', 'br', 'gzip']) {
    const { bytes } = await body.in(header, here);
    assert.equal(bytes.buffer.byteLength, bytes.length);
  }
});

// 3 MB that take long to compress.
const slow = randomBytes(2_250_000).toString('base64');

test('at most two compressions run at once: a large body is sent plain, a small one soon', async () => {
  const busy = [new Body(slow, 60_000), new Body(slow, 60_000)].map((body) => body.in('gzip', here));
  assert.equal((await new Body(slow, 60_000).in('gzip', here)).encoding, undefined);
  const small = await new Body('x'.repeat(2_000)).in('gzip', here);
  for (const { bytes, encoding } of await Promise.all(busy)) {
    assert.equal(encoding, 'gzip');
    assert.equal(gunzipSync(bytes).toString(), slow);
  }
  assert.ok(small.bytes.length <= 2_000);
  assert.equal((await new Body(slow, 60_000).in('br', here)).encoding, 'br');
});

test('compressing ends when the last caller is gone, and begins again for the next', async () => {
  const body = new Body(slow, 60_000);
  const [first, second] = [new AbortController(), new AbortController()];
  const gone = [first, second].map(({ signal }) => body.in('gzip', signal));
  first.abort();
  const startedAt = performance.now();
  second.abort();
  for (const { encoding } of await Promise.all(gone)) assert.equal(encoding, undefined);
  const endedAfter = performance.now() - startedAt;
  assert.equal((await body.in('gzip', here)).encoding, 'gzip');
  const whole = performance.now() - startedAt - endedAfter;
  assert.ok(endedAfter < whole / 2, `it ended after ${endedAfter} ms of ${whole} ms`);
});

test('compressing goes on while one of its callers is there', async () => {
  const body = new Body(slow, 60_000);
  const gone = new AbortController();
  const [, there] = [body.in('gzip', gone.signal), body.in('gzip', here)];
  gone.abort();
  assert.equal((await there).encoding, 'gzip');
});

test('a large body whose compressing takes too long stays plain', async () => {
  assert.equal((await new Body(slow, 5).in('br', here)).encoding, undefined);
});
