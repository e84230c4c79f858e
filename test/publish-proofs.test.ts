import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishKill } from './proofs/publish-kill.ts';
import { publishResult } from './proofs/publish-result.ts';
import { publishSpeed } from './proofs/publish-speed.ts';

// The proofs of `npm run prove`, small: the same code, so that it cannot rot. Each throws where its bar is missed.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

for (const [name, proof] of Object.entries({ publishKill, publishResult, publishSpeed })) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
