import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshness } from './freshness.ts';
import { herd } from './herd.ts';
import { revokedKey } from './revoked-key.ts';

// The short drills of `npm run prove` at a small size, for CI. They need no package of the machine.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const short = new Set(['herd', 'replica-lags', 'listener-cut', 'revoked-key']);

for (const { name, expected, run } of [herd, ...freshness, revokedKey]) {
  if (!short.has(name)) continue;
  test(`${name}: ${expected}`, async () => {
    const { met, figures } = await run({ serverUrl, size: 'small' });
    console.log(figures);
    assert.ok(met, figures);
  });
}
