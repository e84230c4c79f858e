import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKey, isWellFormedKey, keyDigest } from './key.ts';

test('a new key is well formed and never the same twice', () => {
  const keys = Array.from({ length: 1_000 }, createKey);
  for (const key of keys) {
    assert.match(key, /^svc_v1_[0-9A-Za-z]{38}$/);
    assert.ok(isWellFormedKey(key));
  }
  assert.equal(new Set(keys).size, keys.length);
});

test('the checksum is the CRC-32 of the text before it, in six base62 digits', () => {
  const unchecked = `svc_v1_${'0'.repeat(32)}`;
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = bitwiseCrc32(unchecked);
  let expected = '';
  for (let i = 0; i < 6; i += 1) {
    expected = `${digits[rest % 62]}${expected}`;
    rest = Math.floor(rest / 62);
  }
  assert.ok(isWellFormedKey(unchecked + expected));
});

test('a key with any one character changed is not well formed', () => {
  const key = createKey();
  for (let at = 0; at < key.length; at += 1) {
    for (const other of ['a', 'Z', '0', '_', ' ', 'é']) {
      if (key[at] === other) continue;
      assert.ok(!isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1)), `position ${at} as ${other}`);
    }
  }
});

test('text that is not a key is not well formed', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)));
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(`svc_v1_${text}`)));
  assert.ok(!isWellFormedKey(`${createKey()}\n`));
  assert.ok(!isWellFormedKey(`svc_v1_${'a'.repeat(7_000)}`));
});

test('the digest is the SHA-256 of the whole key', () => {
  assert.equal(
    keyDigest('svc_v1_').toString('hex'),
    '59529ebcb2b8ff585f9bfc6966640f481ad758e073c4dc0661e096c566b1e1e2',
  );
});

/** Computes the CRC-32 by its definition, bit by bit, without the library that the code uses. */
function bitwiseCrc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
