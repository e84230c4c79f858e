import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chosenEncoding, compressed, compressedOnce } from './compress.ts';

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
  const br = await compressed(large, 'br');
  assert.equal(brotliDecompressSync(br.body).toString(), large);
  const gzip = await compressed(large, 'gzip');
  assert.equal(gunzipSync(gzip.body).toString(), large);
  assert.equal((await compressed('{"data":[]}', 'br')).encoding, undefined);
});

test('a text that does not change is compressed once per encoding, for any form of the header', async () => {
  const bodyFor = compressedOnce('x'.repeat(2_000));
  const headers = [undefined, 'x', 'br', 'br, x', 'BR;q=0.5', 'gzip', 'gzip, y', 'gzip;q=1, br;q=0'];
  const bodies = await Promise.all(headers.map(async (header) => (await bodyFor(header)).body));
  assert.equal(new Set(bodies).size, 3);
});
