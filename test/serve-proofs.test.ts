import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardsOverHttp } from './proofs/boards-over-http.ts';
import { crowd } from './proofs/crowd.ts';
import { fuzz } from './proofs/fuzz.ts';
import { walks } from './proofs/walks.ts';

// The proofs of `npm run prove`, small: the same code, so that it cannot rot. Each throws where its bar is missed.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

for (const [name, proof] of Object.entries({ crowd, fuzz, walks, boardsOverHttp })) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
