import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Proof } from '../../harness/proofs/proof.ts';

/** Runs proofs of `npm run prove` at a small size, as tests. Each throws if it misses its bar. */
export function testSmall(proofs: Record<string, Proof>, skip: string | false = false): void {
  const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
  for (const [name, proof] of Object.entries(proofs)) {
    test(`${name} holds at a small size`, { skip }, async () => {
      const figures = await proof({ serverUrl, size: 'small' });
      assert.ok(figures.length > 0);
      for (const figure of figures) console.log(figure);
    });
  }
}
