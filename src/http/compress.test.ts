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

for (const [acceptEncoding, chosen] of choices) {
  test(`Accept-Encoding "${acceptEncoding}" gets ${chosen ?? 'plain text'}`, () => {
    assert.equal(chosenEncoding(acceptEncoding), chosen);
  });
}

test('a body is compressed as chosen, and only when it is large enough', async () => {
  const large = 'wörter '.repeat(1_000);
  const br = await new Body(large).in('br');
  assert.equal(brotliDecompressSync(br.bytes).toString(), large);
  const gzip = await new Body(large).in('gzip');
  assert.equal(gunzipSync(gzip.bytes).toString(), large);
  assert.equal((await new Body('{"data":[]}').in('br')).encoding, undefined);
});

test('a body is compressed once per encoding, for any form of the header, and tells what it weighs', async () => {
  const body = new Body('x'.repeat(2_000));
  assert.equal(body.ready('br'), undefined);
  const beside = body.size - 2_000;
  assert.ok(beside > 0);
  const headers = [undefined, 'x', 'br', 'br, x', 'BR;q=0.5', 'gzip', 'gzip, y', 'gzip;q=1, br;q=0'];
  const made = await Promise.all(headers.map((header) => body.in(header)));
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
    const { bytes } = await body.in(header);
    assert.equal(bytes.buffer.byteLength, bytes.length);
  }
});

test('at most two compressions run at once, some wait, and others are sent plain', async () => {
  // This text takes long to compress.
  const slow = randomBytes(300_000).toString('base64');
  const made = await Promise.all(Array.from({ length: 30 }, () => new Body(slow).in('gzip')));
  const compressed = made.filter(({ encoding }) => encoding === 'gzip');
  assert.equal(compressed.length, 18);
  for (const { bytes } of compressed) assert.equal(gunzipSync(bytes).toString(), slow);
  assert.equal((await new Body(slow).in('br')).encoding, 'br');
});
