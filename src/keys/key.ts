import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPrefix } from '../contract/authentication.ts';

/**
 * Creates a key: the prefix, 32 random base62 characters (190 bits), and the CRC-32 of both in 6 base62
 * characters. The checksum is not secret. It lets us refuse typing mistakes and guesses without a query, and
 * lets scanners for leaked secrets recognise a key reliably.
 */
export function createKey(): string {
  let unchecked: string = apiKeyPrefix;
  for (let i = 0; i < randomLength; i += 1) unchecked += base62[randomInt(base62.length)];
  return unchecked + checksum(unchecked);
}

/** Returns true if the text can be a key. We refuse any other text without a query. */
export function isWellFormedKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const unchecked = text.slice(0, -checksumLength);
  return text.slice(-checksumLength) === checksum(unchecked);
}

/**
 * Returns the digest of a key, which is all that we store of it. A key is random, unlike a chosen password,
 * so the digest needs no salt.
 */
export function keyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const keyPattern = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

function checksum(unchecked: string): string {
  let rest = crc32(unchecked);
  let digits = '';
  for (let i = 0; i < checksumLength; i += 1) {
    digits = `${base62[rest % base62.length]}${digits}`;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}
